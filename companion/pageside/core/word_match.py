"""Which elements of a page somebody means by a few words, such as `login button` or `search bar`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from pageside.core.ui_words import CALLED, KINDS, SAME, SILENT, UNSPACED_KINDS

MAX_QUERY = 300
MAX_TEXT = 400
"""Characters of each text that are read."""

EXACT, PREFIX, WORDS, KIND, SOME = 100.0, 80.0, 60.0, 45.0, 40.0
"""How well the words fit: the name itself, its beginning, all of them anywhere, only the kind, a part of them."""
_OWN, _AROUND = 0.3, 0.6
SENSIBLE = 0.5
"""So much of what is asked for has to be there."""
BESIDE_BEST = 0.6
"""So much of the best score the others need."""
_FIT, _MISFIT, _ACTS, _IN_VIEW, _UNSEEN, _DISABLED = 15.0, -25.0, 10.0, 2.0, -45.0, -3.0
_AS_SAID = 1.0
"""Decides between equals: the kind of element is the very one that was named."""
_ROLE_WORDS = {"searchbox": "search"}
_WORD = re.compile(r"[^\W_]+|\.\.\.|[^\w\s]")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_LONGEST_PHRASE = max(len(phrase.split()) for phrase in (*SAME, *KINDS))


@dataclass(frozen=True, slots=True)
class Candidate:
    """An element as the page tells it: what it is called, what stands in it, and what its author calls it."""

    role: str = ""
    name: str = ""
    label: str = ""
    text: str = ""
    hints: str = ""
    around: str = ""
    """What stands beside it, in the same card, row or dialog."""
    tag: str = ""
    acts: bool = False
    seen: bool = True
    in_view: bool = True
    disabled: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """`index` of the candidate; the score is above 0, and the better the higher."""

    index: int
    score: float


@dataclass(frozen=True, slots=True)
class _Query:
    text: str
    words: tuple[str, ...]
    roles: frozenset[str]
    is_kind: bool
    """Only a kind of element is asked for."""


def rank(query: str, candidates: Sequence[Candidate], limit: int = 10) -> list[Match]:
    """The candidates that make sense, best first; equals in the order of the page."""
    wanted = _understood(query)
    scores = [(index, _score(wanted, each)) for index, each in enumerate(candidates)]
    found = sorted((Match(index, score) for index, score in scores if score > 0), key=lambda m: -m.score)
    best = found[0].score if found else 0.0
    return [Match(m.index, round(m.score, 1)) for m in found if m.score >= best * BESIDE_BEST][:limit]


# The query


def _understood(query: str) -> _Query:
    everything = _tokens(_normal(query[:MAX_QUERY]))
    called = next((at for at, each in enumerate(everything) if each in CALLED and at), len(everything))
    kind, name = _phrases(everything[:called]), _phrases(everything[called + 1 :])
    content, roles = _without_kinds([each for each in kind if each not in SILENT] or kind)
    words = _meanings(name or content or kind)
    return _Query(" ".join(everything), words, roles, is_kind=not (name or content))


def _without_kinds(tokens: list[str]) -> tuple[list[str], frozenset[str]]:
    """Words for a kind of element at the end tell the role; a kind alone is asked for by its role only."""
    end, roles = len(tokens), None
    while end:
        size = next((n for n in (2, 1) if n <= end and " ".join(tokens[end - n : end]) in KINDS), 0)
        if not size or (roles is not None and end - size <= 0):
            break
        kind = " ".join(tokens[end - size : end])
        # "menu button": the button called menu.
        roles = KINDS[kind] if roles is None else roles
        end -= size
        if end and " ".join(tokens[:end]) in KINDS:
            break
    return tokens[:end], roles or frozenset()


# The score


def _score(query: _Query, candidate: Candidate) -> float:
    fits = candidate.role in query.roles
    base = max(_by_words(query.words, candidate), _by_whole(query, candidate))
    if query.is_kind and fits:
        base = max(KIND + base / 2, base)
    if base <= 0:
        return 0.0
    score = base + (_FIT if fits else _MISFIT if query.roles else 0.0)
    score += _ACTS * candidate.acts + _IN_VIEW * candidate.in_view
    score += _AS_SAID * (candidate.role != "" and query.text.endswith(candidate.role))
    score += _UNSEEN * (not candidate.seen) + _DISABLED * candidate.disabled
    return max(score, 0.0)


def _by_whole(query: _Query, candidate: Candidate) -> float:
    """The query as it was written, kinds and silent words too, may be the very name."""
    return EXACT + 1 if query.text and query.text == _spelled(candidate.name) else 0.0


def _by_words(wanted: tuple[str, ...], candidate: Candidate) -> float:
    if not wanted:
        return 0.0
    best = 0.0
    for text, weight in (
        (candidate.name, 1.0),
        (candidate.label, 0.95),
        (_ROLE_WORDS.get(candidate.role, ""), 0.9),
        (candidate.text, 0.85),
        (candidate.hints, 0.6),
    ):
        if text:
            best = max(best, weight * _likeness(wanted, _words_of(text[:MAX_TEXT])))
    return max(best, _spread(wanted, candidate))


def _spread(wanted: tuple[str, ...], candidate: Candidate) -> float:
    """Some of the words are its own, the others stand around it."""
    own = _words_of(
        " ".join((candidate.name, candidate.label, candidate.text, candidate.hints))[: 2 * MAX_TEXT]
    )
    of_it = _covered(wanted, own)
    if not of_it:
        return 0.0
    covered = _covered(wanted, own + _words_of(f"{candidate.role} {candidate.around}"[:MAX_TEXT]))
    return SOME * (_OWN * of_it + _AROUND * covered) if covered >= SENSIBLE else 0.0


def _likeness(wanted: tuple[str, ...], there: tuple[str, ...]) -> float:
    if not there:
        return 0.0
    if wanted == there:
        return EXACT
    surplus = min(10.0, 0.5 * max(0, len(there) - len(wanted)))
    if there[: len(wanted)] == wanted:
        return PREFIX - surplus
    covered = _covered(wanted, there)
    if covered < SENSIBLE:
        return 0.0
    return (WORDS if covered >= 0.99 else SOME * covered) - surplus


def _covered(wanted: Sequence[str], there: Sequence[str]) -> float:
    """0 to 1: how much of what is wanted is there."""
    return sum(max((_alike(word, other) for other in there), default=0.0) for word in wanted) / len(wanted)


@lru_cache(maxsize=20_000)
def _alike(word: str, other: str) -> float:
    if word == other:
        return 1.0
    if len(word) >= 3 and len(other) <= 2 * len(word) and other.startswith(word):
        return 0.85
    if _is_unspaced(word) and word in other:
        return 0.9
    if min(len(word), len(other)) < 4 or abs(len(word) - len(other)) > 2:
        return 0.0
    ratio = SequenceMatcher(None, word, other).ratio()
    return 0.75 * ratio if ratio >= 0.8 else 0.0


def _is_unspaced(word: str) -> bool:
    """Of a script that puts no blanks between words."""
    return any("\u2e80" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af" for char in word)


# Words


@lru_cache(maxsize=20_000)
def _words_of(text: str) -> tuple[str, ...]:
    return _meanings(_phrases(_tokens(_normal(_HUMP.sub(" ", text)))))


@lru_cache(maxsize=20_000)
def _spelled(text: str) -> str:
    return " ".join(_tokens(_normal(text[:MAX_TEXT])))


def _normal(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return folded if folded.isascii() else _without_accents(folded)


def _without_accents(text: str) -> str:
    """Menu for Menü; the marks of other scripts than Latin, Greek and Cyrillic tell words apart."""
    kept: list[str] = []
    for char in unicodedata.normalize("NFD", text):
        if not (unicodedata.combining(char) and kept and kept[-1] < "\u0500"):
            kept.append(char)
    return unicodedata.normalize("NFC", "".join(kept))


def _tokens(text: str) -> list[str]:
    """Words, and signs that stand for one (×, +, ☰); other punctuation is nothing."""
    words = [each for each in _WORD.findall(text) if each[0].isalnum() or each in SAME]
    return [part for word in words for part in _parted(word)]


def _parted(word: str) -> tuple[str, ...]:
    """The kind of element at the end of a word that has no blanks in it."""
    kind = next((kind for kind in UNSPACED_KINDS if word.endswith(kind)), "")
    rest = word.removesuffix(kind)
    return (rest, kind) if kind and rest else (word,)


def _phrases(tokens: list[str]) -> list[str]:
    """Words that have a meaning together become one."""
    found, at = [], 0
    while at < len(tokens):
        sizes = range(min(_LONGEST_PHRASE, len(tokens) - at), 1, -1)
        size = next((size for size in sizes if " ".join(tokens[at : at + size]) in SAME), 1)
        found.append(" ".join(tokens[at : at + size]))
        at += size
    return found


def _meanings(tokens: list[str]) -> tuple[str, ...]:
    """What means the same becomes one; other words lose their endings, and those that say nothing go."""
    return tuple(
        SAME.get(each) or SAME.get(_stem(each)) or _stem(each) for each in tokens if each not in SILENT
    )


def _stem(word: str) -> str:
    """Light: plural, -ing, -ed; `cookie`, `cookies` and `query`, `queries` become the same."""
    if not word.isascii() or len(word) < 5:
        return word
    for ending in ("ing", "ed", "s"):
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    return f"{word.removesuffix('ie').removesuffix('y')}i" if word.endswith(("ie", "y")) else word


_MEANING = {_stem(form): meaning for form, meaning in SAME.items() if " " not in form} | SAME
