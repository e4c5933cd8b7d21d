"""docs/api_coverage.md is what tools/api_coverage.py writes, and that reads declarations as a compiler would."""

import api_coverage
import pytest
from declarations import declared_in


def test_the_page_is_up_to_date(monkeypatch):
    monkeypatch.setattr("sys.argv", ["api_coverage.py", "--check"])
    assert api_coverage.main() == 0, "run python tools/api_coverage.py"


@pytest.mark.parametrize(
    ("text", "name", "count"),
    [
        ("void f(int a); void f(float a) { g(1); }", "f", 2),
        ("namespace a { template <class T> [[gnu::always_inline]] inline void f(const T& x = T()) { g(x); } }", "f", 1),
        ("class C { public: C(); C(int a) : b(a) {} void m() const; int b; };", "C::m", 1),
        ("class C { public: C(); C(int a) : b(a) {} void m() const; int b; };", "C::C", 2),
        ("class C { public: C(); C(int a) : b(a) {} void m() const; int b; };", "C::b", 0),
        ("void f() { g(1); }", "g", 0),
        ("template <class T, class Mask> void f(T a, Mask m) {}", "f", 1),
        ('extern "C" { int f(void); }', "f", 1),
        ("enum class E { A, B }; E f(E e);", "f", 1),
        ("__aicore__ inline void f(int a)\n__aicore__ inline void f(float a)", "f", 2),  # as documents write them
        ("template <typename T> __aicore__ inline T* GetPtr(uint32_t i);", "GetPtr", 1),
        ('// f(1)\n/* f(2) */ const char* s = "f(3)";', "f", 0),
    ],
)
def test_declarations(text, name, count):
    assert declared_in(text).functions[name] == count


def test_overloads_are_told_apart_by_the_types_of_their_parameters():
    text = """
    void Div(const T& dst, const int32_t& count)
    template <const DivConfig& config> void Div(const T& out, const int32_t& n)
    void Div(const T& dst, uint64_t mask[], uint8_t times = 1)
    void Div(const T& dst, uint64_t mask, uint8_t times)
    """
    assert declared_in(text).parameters["Div"] == {"T,int32_t", "T,uint64_t[],uint8_t", "T,uint64_t,uint8_t"}


@pytest.mark.parametrize(
    ("name", "parameters", "form"),
    [
        ("asc_add", "half*,half*,uint32_t", "T*,T*,T"),
        ("DataCopy", "U*,S*,S,uint8_t", "T*,T*,T,T"),
        ("DataCopy", "int16_t*,uint64_t[]", "T*,T[]"),
        ("asc_copy_ub2gm_align", "double*,double*", "T*,T*"),
        ("asc_get_reduce_max_cnt", "half,uint32_t", "T,T"),
        ("Duplicate", "LocalTensor<T>,uint64_t[],uint8_t", "LocalTensor<T>,uint64_t[],uint8_t"),
    ],
)
def test_forms_do_not_tell_element_types_apart(name, parameters, form):
    assert api_coverage.form_of(name, parameters) == form


def test_parts_for_other_chips_are_left_out():
    page = (
        '<!-- npu="950,A3" id1 -->\nother\n<!-- end id1 -->\n<!-- npu="A3,910b" id2 -->\nours\n<!-- npu="A3" id3 -->\nin'
        "\n<!-- end id3 -->\n<!-- end id2 -->"
    )
    text = api_coverage.for_this_chip(page)
    assert "ours" in text and "other" not in text and "\nin\n" not in text


def test_what_follows_a_remark_for_other_chips_is_left_out_to_the_end_of_its_item():
    page = (
        '## 原型\n-   first\n\n    ours\n\n-   second\n\n    <!-- npu="950" id1 -->\n    仅支持950\n    <!-- end id1 -->\n'
        "\n    -   inner\n\n            other\n\n-   third\n\n    last\n## 参数\n"
    )
    text = api_coverage.for_this_chip(page)
    assert "ours" in text and "other" not in text and "-   third\n\n    last\n## 参数" in text


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("- Atlas A2 训练系列产品/Atlas A2 推理系列产品：支持", True),
        ("- Atlas A2 训练系列产品/Atlas A2 推理系列产品：不支持", False),
        ("| Atlas A2 训练系列产品 | √ |", True),
        ("| Atlas A2 训练系列产品 | x |", False),
    ],
)
def test_ticks(line, expected):
    assert api_coverage.ticked(f"# Name\n\n## 产品支持情况\n\n{line}\n\n## 功能说明\n") is expected
