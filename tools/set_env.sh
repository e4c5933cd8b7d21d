# Source this file (bash or zsh): afterwards the shell finds Toprope where CANN's own set_env.sh would put CANN.
# `eval "$(toprope env)"` sets the same variables.
if [ -n "${BASH_VERSION:-}" ]; then
  _toprope_prefix=${BASH_SOURCE[0]}
elif [ -n "${ZSH_VERSION:-}" ]; then
  eval '_toprope_prefix=${(%):-%x}'
else
  _toprope_prefix=${ASCEND_HOME_PATH:-}/set_env.sh
  if [ ! -f "$_toprope_prefix" ]; then
    echo "set_env.sh: this shell does not say where the file is; use bash or zsh, or set ASCEND_HOME_PATH first" >&2
    return 1
  fi
fi
_toprope_prefix=$(cd "$(dirname "$_toprope_prefix")" && pwd)

# Puts $2 in front of the colon-separated variable $1, once.
_toprope_prepend() {
  eval "_toprope_value=\${$1:-}"
  case ":$_toprope_value:" in
    *":$2:"*) ;;
    *) export "$1=$2${_toprope_value:+:$_toprope_value}" ;;
  esac
}

export ASCEND_HOME_PATH="$_toprope_prefix"
export ASCEND_TOOLKIT_HOME="$_toprope_prefix"
export ASCEND_HOME="$_toprope_prefix"
export ASCEND_OPP_PATH="$_toprope_prefix/opp"
export ASCEND_AICPU_PATH="$_toprope_prefix"
_toprope_prepend PATH "$_toprope_prefix/bin"
_toprope_prepend CMAKE_PREFIX_PATH "$_toprope_prefix"
_toprope_prepend LD_LIBRARY_PATH "$_toprope_prefix/lib64"
_toprope_prepend PYTHONPATH "$_toprope_prefix/python/site-packages"

# A wheel carries no links, so $ASCEND_HOME/ascend-toolkit/latest is made here.
if [ ! -e "$ASCEND_HOME/ascend-toolkit/latest/lib64" ]; then
  if mkdir -p "$ASCEND_HOME/ascend-toolkit/latest" 2>/dev/null; then
    for _toprope_value in include lib64 bin lib tools opp compiler runtime set_env.sh; do
      ln -sfn "../../$_toprope_value" "$ASCEND_HOME/ascend-toolkit/latest/$_toprope_value"
    done
  else
    echo "set_env.sh: cannot create $ASCEND_HOME/ascend-toolkit/latest; source this once as the owner of that directory" >&2
  fi
fi
unset -f _toprope_prepend
unset _toprope_prefix _toprope_value
