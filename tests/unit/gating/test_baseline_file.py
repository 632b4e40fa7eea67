"""The baseline as a file: bytes, digest, damage; and the runs that must not become one."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval.gating.baseline import (
    Baseline,
    BaselineRow,
    fingerprint,
    labels_fingerprint,
    refusal,
    take_baseline,
)
from pytest_retrieval.gating.baseline_file import BaselineError, dump_baseline, read_baseline, write_baseline
from pytest_retrieval.golden.model import GateRules, GoldenSet, Header, Query
from pytest_retrieval.retrieval.ranking import Ranking
from pytest_retrieval.scoring.evaluation import Evaluation, mark

QUERIES = (
    Query("q2", "second", {"D1": 1}, kind="word", tags=("smoke",), split="dev", metadata={"lang": "de"}),
    Query("q1", "first", {"D1": 1, "D2": 1}, kind="phrase"),
)
RANKINGS = {"q1": Ranking(("D1", "D9")), "q2": Ranking(("D9", "D1"))}


def evaluation(
    queries: tuple[Query, ...] = QUERIES, rankings: dict[str, Ranking] | None = None, **header: Any
) -> Evaluation:
    golden = GoldenSet(queries, Header(**header))
    return mark(golden, RANKINGS if rankings is None else rankings, metrics=("recall@5", "mrr"), depth=20)


def baseline(**header: Any) -> Baseline:
    return take_baseline(evaluation(**header), retriever="retriever", document_id=None)


def short_hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


# -- what is taken


def test_rankings_and_what_identifies_a_query_are_kept() -> None:
    taken = baseline(describe={"model": "a"})
    assert (taken.retriever, taken.depth, taken.document_id, taken.describe) == (
        "retriever",
        20,
        None,
        {"model": "a"},
    )
    rows = taken.by_id()
    assert (rows["q1"].ranked, rows["q1"].kind) == (("D1", "D9"), "phrase")
    assert (rows["q2"].tags, rows["q2"].split) == (("smoke",), "dev")
    assert rows["q2"].text == short_hash("second", "")


def test_means_are_those_of_all_and_of_each_kind() -> None:
    # q1: one of two documents, at rank 1; q2: the one document, at rank 2
    assert baseline().means == {
        "all": {"recall@5": 0.75, "mrr": 0.75},
        "word": {"recall@5": 1.0, "mrr": 0.5},
        "phrase": {"recall@5": 0.5, "mrr": 1.0},
    }


def test_means_are_rounded_to_six_digits() -> None:
    third = Query("q", "t", {"D1": 1, "D2": 1, "D3": 1})
    taken = take_baseline(evaluation((third,), {"q": Ranking(("D1",))}), retriever="r", document_id=None)
    assert taken.means["all"]["recall@5"] == 0.333333


def test_a_kind_called_all_does_not_hide_the_mean_of_all() -> None:
    queries = (Query("q1", "a", {"D1": 1}, kind="all"), Query("q2", "b", {"D1": 1}, kind="word"))
    rankings = {"q1": Ranking(("D1",)), "q2": Ranking(())}
    taken = take_baseline(evaluation(queries, rankings), retriever="r", document_id=None)
    assert taken.means["all"]["recall@5"] == 0.5
    assert taken.means["kind all"]["recall@5"] == 1


def test_only_the_fields_that_are_sliced_on_are_kept() -> None:
    assert baseline().by_id()["q2"].fields == {}
    assert baseline(gate=GateRules(slices=("lang",))).by_id()["q2"].fields == {"lang": ("de",)}


# -- fingerprints


def test_a_fingerprint_knows_text_and_params_but_not_the_unicode_form() -> None:
    one = Query("q", "caf\u00e9")
    assert fingerprint(one) == fingerprint(Query("other", "cafe\u0301", {"D1": 1}, kind="k"))
    assert fingerprint(one) != fingerprint(Query("q", "cafe"))
    assert fingerprint(one) != fingerprint(Query("q", "caf\u00e9", params={"user": "a"}))
    assert fingerprint(Query("q", "a", params={"x": 1, "y": 2})) == fingerprint(
        Query("q", "a", params={"y": 2, "x": 1})
    )


def test_text_and_params_cannot_be_traded() -> None:
    assert fingerprint(Query("q", 'a{"x": 1}')) != fingerprint(Query("q", "a", params={"x": 1}))


def test_labels_have_no_order_but_grades() -> None:
    assert labels_fingerprint([Query("q", "t", {"a": 1, "b": 2})]) == labels_fingerprint(
        [Query("q", "t", {"b": 2, "a": 1})]
    )
    assert labels_fingerprint([Query("q", "t", {"a": 1})]) != labels_fingerprint([Query("q", "t", {"a": 2})])
    assert labels_fingerprint([Query("q", "t", answerable=False)]) != labels_fingerprint([Query("q", "t")])
    assert labels_fingerprint(QUERIES) == labels_fingerprint(reversed(QUERIES))


# -- the bytes


def test_the_bytes_are_json_with_a_line_per_query_in_order() -> None:
    content = dump_baseline(baseline())
    data = json.loads(content)
    assert list(data) == sorted(data)
    assert list(data["queries"]) == ["q1", "q2"]
    assert [line[:4] for line in content.decode().splitlines() if '"ranked"' in line] == ['"q1"', '"q2"']
    assert content.endswith(b"}\n")
    assert b"\r" not in content


def test_the_bytes_do_not_depend_on_the_order_of_anything() -> None:
    turned = take_baseline(
        evaluation(tuple(reversed(QUERIES)), dict(reversed(RANKINGS.items()))),
        retriever="retriever",
        document_id=None,
    )
    assert dump_baseline(turned) == dump_baseline(baseline())


def test_neither_text_nor_time_is_in_it() -> None:
    content = dump_baseline(baseline()).decode()
    assert "second" not in content
    assert "first" not in content
    assert not {"time", "date", "host", "user"} & set(json.loads(content))


def test_the_digest_is_the_hash_of_the_rows_as_they_stand() -> None:
    content = dump_baseline(baseline()).decode()
    rows = [line.rstrip(",") for line in content.splitlines() if '"ranked"' in line]
    digest = "sha256:" + hashlib.sha256("\n".join(rows).encode()).hexdigest()
    assert json.loads(content)["digest"] == digest


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    taken = baseline(describe={"model": "a", "n": 3}, gate=GateRules(slices=("lang",)))
    path = tmp_path / "deep" / "er" / "golden.json"
    write_baseline(path, taken)
    read = read_baseline(path, "golden.json")
    assert dump_baseline(read) == dump_baseline(taken)
    assert read.by_id() == taken.by_id()
    assert (read.labels, read.means, read.describe) == (taken.labels, taken.means, taken.describe)


@pytest.mark.parametrize(
    "name", ["\u00fcml\u00e4ut", 'a"b', "line\nbreak", "\u2028", "\U0001f642", "__proto__", ""]
)
def test_any_text_survives_as_id_and_document(tmp_path: Path, name: str) -> None:
    row = BaselineRow(name, "0" * 16, "0" * 16, name, (name or "D",))
    taken = Baseline("r", 5, None, {}, "0" * 16, {}, (row,))
    write_baseline(tmp_path / "b.json", taken)
    assert read_baseline(tmp_path / "b.json", "b.json").rows == (row,)


def test_nothing_but_the_file_is_left_behind(tmp_path: Path) -> None:
    write_baseline(tmp_path / "b.json", baseline())
    write_baseline(tmp_path / "b.json", baseline())
    assert [path.name for path in tmp_path.iterdir()] == ["b.json"]


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "b.json"
    write_baseline(path, baseline())
    before = path.read_bytes()

    def fail(self: Path, target: Path) -> Path:
        raise PermissionError("busy")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(PermissionError):
        write_baseline(path, baseline(describe={"model": "b"}))
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["b.json"]


# -- damage


def changed(**changes: Any) -> bytes:
    data = json.loads(dump_baseline(baseline()))
    for key, value in changes.items():
        data[key] = value
    return json.dumps({key: value for key, value in data.items() if value is not ...}).encode()


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "b.json:1: is no JSON"),
        (b"{\n<<<<<<< ours\n", "b.json:2: is no JSON (it holds a merge conflict)"),
        (b"[]", "b.json: is no baseline: format is 'list'"),
        (b"{}", "b.json: is no baseline: format is None"),
        (b"\xff\xfe", "b.json: is no JSON"),
        (b'{"format": NaN}', "b.json: is no JSON: NaN is no JSON"),
        (b"[" * 100_000, "b.json: is no JSON"),
        (changed(format="pytest-retrieval-baseline/2"), "format is 'pytest-retrieval-baseline/2', expected"),
        (changed(depth=...), "is damaged (KeyError"),
        (changed(depth=0), "is damaged (ValueError: expected a whole number of at least 1, found 0)"),
        (changed(depth=True), "is damaged (ValueError"),
        (changed(depth="20"), "is damaged (ValueError"),
        (changed(retriever=None), "is damaged (TypeError: expected a text, found NoneType)"),
        (changed(queries=[]), "is damaged (AttributeError"),
        (changed(queries={"q1": {"ranked": ["D1"]}}), "is damaged (KeyError"),
        (
            changed(queries={"q1": {"ranked": "D1", "text": "", "labels": "", "kind": ""}}),
            "expected a list, found str",
        ),
        (
            changed(queries={"q1": {"ranked": [1], "text": "", "labels": "", "kind": ""}}),
            "expected a text, found int",
        ),
        (changed(means=[]), "is damaged (AttributeError"),
        (changed(describe=3), "is damaged (TypeError"),
        (changed(digest=...), "do not match the digest"),
        (changed(digest="sha256:0"), "do not match the digest"),
        (changed(queries={}), "do not match the digest"),
    ],
)
def test_damage_is_told_with_the_command_to_run(tmp_path: Path, content: bytes, complaint: str) -> None:
    (tmp_path / "b.json").write_bytes(content)
    with pytest.raises(BaselineError) as caught:
        read_baseline(tmp_path / "b.json", "b.json")
    assert complaint in str(caught.value)
    assert str(caught.value).startswith("b.json")
    assert str(caught.value).endswith("; restore it: git checkout HEAD -- b.json")


def test_a_merge_that_looks_clean_is_noticed(tmp_path: Path) -> None:
    other = take_baseline(
        evaluation(rankings={"q1": Ranking(("D7",)), "q2": Ranking(("D9", "D1"))}),
        retriever="retriever",
        document_id=None,
    )
    ours, theirs = json.loads(dump_baseline(baseline())), json.loads(dump_baseline(other))
    ours["queries"]["q1"] = theirs["queries"]["q1"]
    (tmp_path / "b.json").write_text(json.dumps(ours), "utf-8")
    with pytest.raises(BaselineError, match="two runs were merged"):
        read_baseline(tmp_path / "b.json", "b.json")


@pytest.mark.parametrize("layout", [{"indent": 4}, {"separators": (",", ":")}, {"ensure_ascii": True}])
def test_another_layout_of_the_same_rows_is_no_damage(tmp_path: Path, layout: dict[str, Any]) -> None:
    data = json.loads(dump_baseline(baseline()))
    (tmp_path / "b.json").write_text(json.dumps(data, **layout), "utf-8")
    assert read_baseline(tmp_path / "b.json", "b.json").by_id() == baseline().by_id()


@pytest.mark.parametrize("written", [lambda b: b"\xef\xbb\xbf" + b, lambda b: b.replace(b"\n", b"\r\n")])
def test_a_byte_order_mark_and_other_line_ends_are_no_damage(tmp_path: Path, written: Any) -> None:
    (tmp_path / "b.json").write_bytes(written(dump_baseline(baseline())))
    assert read_baseline(tmp_path / "b.json", "b.json").depth == 20


def test_a_folder_in_its_place_is_told(tmp_path: Path) -> None:
    (tmp_path / "b.json").mkdir()
    with pytest.raises(BaselineError, match=r"^b\.json: cannot be read"):
        read_baseline(tmp_path / "b.json", "b.json")


# -- refusals


def test_a_whole_run_is_not_refused() -> None:
    assert refusal(evaluation(), {}) is None


def test_a_failed_query_refuses() -> None:
    assert refusal(evaluation(), {"q2": "TimeoutError: slow"}) == (
        "1 of 2 queries failed, 'q2' first (TimeoutError: slow)"
    )


def test_a_query_that_was_not_run_refuses() -> None:
    assert (
        refusal(evaluation(rankings={"q2": Ranking(("D1",))}), {})
        == "1 of 2 queries were not run, 'q1' first"
    )


def test_a_run_that_found_nothing_at_all_refuses() -> None:
    nothing = {"q1": Ranking(()), "q2": Ranking(())}
    assert refusal(evaluation(rankings=nothing), {}) == "every query was answered with nothing"
    assert refusal(evaluation(rankings={**nothing, "q1": Ranking(("D9",))}), {}) is None
