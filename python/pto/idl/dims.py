"""Sizes: polynomials in the shape symbols with rational coefficients, equal exactly when they are the same function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

#: A product of symbols: (("M", 1), ("N", 2)) is M·N².
Monomial = tuple[tuple[str, int], ...]

MAX_TERMS = 32
MAX_DEGREE = 8
#: Beyond this no coefficient of a size makes sense.
MAX_COEFFICIENT = 2**40


class TooLarge(ValueError):
    """The expression has too many terms, too high a degree, or a coefficient that no size has."""


@dataclass(frozen=True)
class Dim:
    """A size. Fractions come from divisions, which must be without remainder when sizes are known: [M, N/2]."""

    terms: tuple[tuple[Monomial, Fraction], ...]

    @staticmethod
    def of(terms: Mapping[Monomial, Fraction]) -> Dim:
        """From coefficients; zeros are dropped, order is by degree (the highest first), then by name."""
        kept = {m: c for m, c in terms.items() if c}
        if (
            len(kept) > MAX_TERMS
            or any(sum(power for _, power in m) > MAX_DEGREE for m in kept)
            or any(abs(c.numerator) > MAX_COEFFICIENT or c.denominator > MAX_COEFFICIENT for c in kept.values())
        ):
            raise TooLarge
        return Dim(tuple(sorted(kept.items(), key=lambda item: (-sum(p for _, p in item[0]), item[0]))))

    @staticmethod
    def constant(value: int | Fraction) -> Dim:
        """A number."""
        return Dim.of({(): Fraction(value)})

    @staticmethod
    def symbol(name: str) -> Dim:
        """A symbol on its own."""
        return Dim((((((name, 1),)), Fraction(1)),))

    def __add__(self, other: Dim) -> Dim:
        terms = dict(self.terms)
        for monomial, coefficient in other.terms:
            terms[monomial] = terms.get(monomial, Fraction(0)) + coefficient
        return Dim.of(terms)

    def __neg__(self) -> Dim:
        return Dim(tuple((m, -c) for m, c in self.terms))

    def __sub__(self, other: Dim) -> Dim:
        return self + -other

    def __mul__(self, other: Dim) -> Dim:
        terms: dict[Monomial, Fraction] = {}
        for left, a in self.terms:
            for right, b in other.terms:
                powers = dict(left)
                for name, power in right:
                    powers[name] = powers.get(name, 0) + power
                monomial = tuple(sorted(powers.items()))
                terms[monomial] = terms.get(monomial, Fraction(0)) + a * b
        return Dim.of(terms)

    def __truediv__(self, divisor: int) -> Dim:
        return Dim.of({m: c / divisor for m, c in self.terms})

    def value(self) -> int | None:
        """The number, when no symbol is in it and it is whole; otherwise None."""
        if not self.terms:
            return 0
        ((monomial, coefficient), *more) = self.terms
        return int(coefficient) if not more and not monomial and coefficient.denominator == 1 else None

    def is_constant(self) -> bool:
        """Whether no symbol is in it."""
        return all(not monomial for monomial, _ in self.terms)

    def is_one(self) -> bool:
        """Whether it is the number 1."""
        return self.value() == 1

    def name(self) -> str | None:
        """The symbol, when it is one on its own; otherwise None."""
        if len(self.terms) == 1:
            (monomial, coefficient) = self.terms[0]
            if coefficient == 1 and len(monomial) == 1 and monomial[0][1] == 1:
                return monomial[0][0]
        return None

    def symbols(self) -> list[str]:
        """Every symbol in it, once, in order of name."""
        return sorted({name for monomial, _ in self.terms for name, _ in monomial})

    def linear_in(self, name: str) -> bool:
        """Whether it is a·name + b with whole coefficients; b may hold other symbols."""
        holding = [m for m, _ in self.terms if any(n == name for n, _ in m)]
        return holding == [((name, 1),)] and self.denominator() == 1

    def denominator(self) -> int:
        """The smallest number that makes it a polynomial with whole coefficients."""
        result = 1
        for _, coefficient in self.terms:
            denominator = coefficient.denominator
            result = result * denominator // _gcd(result, denominator)
        return result

    def evaluate(self, values: Mapping[str, int]) -> Fraction:
        """Its value for given symbols."""
        total = Fraction(0)
        for monomial, coefficient in self.terms:
            product = coefficient
            for name, power in monomial:
                product *= values[name] ** power
            total += product
        return total

    def text(self, names: Mapping[str, str] | None = None) -> str:
        """As source text, in the notation that IDL, libpto and C++ share; a common divisor stands at the end."""
        divisor = self.denominator()
        parts: list[str] = []
        # A positive term comes first where there is one: libpto's shapes have no sign.
        positive = next((n for n, (_, coefficient) in enumerate(self.terms) if coefficient > 0), 0)
        terms = (*self.terms[positive : positive + 1], *self.terms[:positive], *self.terms[positive + 1 :])
        for monomial, coefficient in terms:
            number = int(coefficient * divisor)
            factors = [names[n] if names else n for n, power in monomial for _ in range(power)]
            if abs(number) != 1 or not factors:
                factors.insert(0, str(abs(number)))
            sign = ("- " if number < 0 else "+ ") if parts else ("-" if number < 0 else "")
            parts.append(sign + "*".join(factors))
        text = " ".join(parts) or "0"
        if divisor == 1:
            return text
        return f"({text})/{divisor}" if len(parts) > 1 else f"{text}/{divisor}"

    def __str__(self) -> str:
        return self.text()


def _gcd(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return a


Shape = tuple[Dim, ...]
ONE = Dim.constant(1)


def shape_text(shape: Shape) -> str:
    """`[M, 2*N]`."""
    return f"[{', '.join(map(str, shape))}]"


def product(shape: Shape) -> Dim:
    """The number of elements. Raises TooLarge."""
    result = ONE
    for dim in shape:
        result = result * dim
    return result


def broadcast(a: Shape, b: Shape) -> Shape | None:
    """The shape of an elementwise result: aligned at the right, a 1 stretches to the other size; None when they differ."""
    rank = max(len(a), len(b))
    result = []
    for x, y in zip((ONE,) * (rank - len(a)) + a, (ONE,) * (rank - len(b)) + b):
        if x == y or y.is_one():
            result.append(x)
        elif x.is_one():
            result.append(y)
        else:
            return None
    return tuple(result)


def without_ones(shape: Shape) -> Shape:
    """The sizes that are not the constant 1."""
    return tuple(dim for dim in shape if not dim.is_one())
