# The older name under which run scripts of CANN samples look for set_env.sh; source it in bash.
. "$(dirname "${BASH_SOURCE[0]}")/../set_env.sh"
