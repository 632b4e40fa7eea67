import json
from pathlib import Path

import pytest

from pytest_retrieval.golden.errors import GoldenError, NotGoldenError
from pytest_retrieval.golden.reader import load_golden

SHARED = Path(__file__).resolve().parents[4] / "shared"
CASES = SHARED / "cases"
DATA = SHARED / "data"
needs_shared = pytest.mark.skipif(
    not DATA.is_dir(), reason="the shared data folder is not beside the checkout"
)

ROW = '{"id": "q1", "text": "t", "relevant": ["d1"]}\n'


def failure(path: Path | str) -> GoldenError:
    with pytest.raises(GoldenError) as caught:
        load_golden(path)
    assert type(caught.value) is GoldenError
    return caught.value


@pytest.mark.parametrize("suffix", ["yaml", "yml"])
def test_yaml_is_a_list_or_a_header_with_queries(write, suffix: str) -> None:
    plain = write(f"a.{suffix}", "- {id: q1, text: t, relevant: [d1]}\n")
    headed = write(f"b.{suffix}", "depth: 7\nqueries:\n- {id: q1, text: t, relevant: [d1]}\n")
    assert load_golden(plain).path == plain
    assert (load_golden(plain).header.depth, load_golden(headed).header.depth) == (None, 7)
    assert [load_golden(path).queries[0].id for path in (plain, headed)] == ["q1", "q1"]


def test_jsonl_is_queries_with_or_without_a_header(write) -> None:
    plain = load_golden(write("a.jsonl", ROW))
    headed = load_golden(write("b.jsonl", '\n{"depth": 7, "gate": {"margin": 0.1}}\n' + ROW))
    assert (plain.header.depth, headed.header.depth) == (None, 7)
    assert headed.header.lines == {"depth": 2, "gate": 2, "gate.margin": 2}
    assert plain.by_id().keys() == headed.by_id().keys() == {"q1"}


def test_a_mark_windows_line_ends_and_no_last_newline_are_fine(write) -> None:
    text = ROW + '\n{"id": "q2", "text": "a\u2028b\x85c", "relevant": ["d1"]}'
    golden = load_golden(write("a.jsonl", b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()))
    assert [(query.id, query.line) for query in golden.queries] == [("q1", 1), ("q2", 3)]
    assert golden.queries[1].text == "a\u2028b\x85c"
    yaml = "- id: q1\n  text: 'a\u2028b'\n  relevant: [d1]\n"
    assert (
        load_golden(write("a.yaml", b"\xef\xbb\xbf" + yaml.replace("\n", "\r\n").encode())).queries[0].text
        == "a\u2028b"
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", ""),
        ("a.yaml", "# nothing\n"),
        ("a.yaml", "just text\n"),
        ("a.yaml", "[1, 2, three]\n"),
        ("a.yaml", "- {name: x}\n- {name: y}\n"),
        ("a.yaml", "services: {web: {image: x}}\n"),
        ("a.yaml", "depth: 5\n"),
        ("a.jsonl", ""),
        ("a.jsonl", "\n\n"),
        ("a.jsonl", "{}\n"),
        ("a.jsonl", '{"messages": []}\n{"messages": []}\n'),
        ("a.jsonl", '{"id": 1, "name": "x"}\n'),
    ],
)
def test_a_file_without_any_query_is_no_golden_set(write, name: str, text: str) -> None:
    with pytest.raises(NotGoldenError, match="holds no queries"):
        load_golden(write(name, text))


@pytest.mark.parametrize(
    ("name", "text", "line", "words"),
    [
        ("a.yaml", "queries: []\n", None, "no query yet"),
        ("a.yaml", "depth: 5\nqueries:\n", None, "no query yet"),
        ("a.yaml", "[]\n", None, "no query yet"),
        ("a.jsonl", '{"depth": 5}\n', None, "no query yet"),
        ("a.yaml", "depth: 5\nqueries:\n  q1: {text: t, relevant: [d]}\n", 2, "write it as a list"),
        ("a.yaml", "queries: all\n", 1, "must be a list"),
        ("a.yaml", "querie:\n- {id: q, text: t, relevant: [d]}\n", 1, "did you mean 'queries'"),
        ("a.yaml", "queries:\n- one\n", 2, "must be a mapping"),
        ("a.yaml", "- {id: q, text: t, relevant: [d]}\n- 5\n", 2, "must be a mapping"),
        ("a.yaml", "dept: 5\nqueries:\n- {id: q, text: t, relevant: [d]}\n", 1, "did you mean 'depth'"),
        ("a.jsonl", '{"dept": 5}\n' + ROW, 1, "did you mean 'depth'"),
        ("a.jsonl", '{"id": "q", "relevant": ["d"]}\n', 1, "without a text"),
        ("a.jsonl", '{"id": "q"}\n' + ROW, 1, "without a text"),
        ("a.jsonl", '{"depth": 5, "relevant": ["d"]}\n', 1, "without an id"),
        ("a.jsonl", ROW + '{"depth": 5}\n', 2, "without an id"),
        ("a.jsonl", '{"queries": []}\n' + ROW, 1, "one JSON object per line"),
        ("a.jsonl", "[" + ROW.strip() + "]\n", 1, "JSON array"),
        ("a.jsonl", ROW + ROW, 2, "already used on line 1"),
        ("a.jsonl", ROW + '{"id": "q2", "text": "\\ud800", "relevant": ["d"]}\n', 2, "surrogate"),
    ],
)
def test_a_golden_set_that_cannot_be_used_is_an_error(
    write, name: str, text: str, line: int | None, words: str
) -> None:
    path = write(name, text)
    error = failure(path)
    assert str(error).startswith(f"{path}:{line}: " if line else f"{path}: ")
    assert words in error.message


def test_paths_in_messages_are_as_given(write, tmp_path: Path, monkeypatch) -> None:
    write("sub/a.yaml", "- {id: q, text: t}\n- {}\n")
    monkeypatch.chdir(tmp_path)
    assert str(failure("./sub/../sub/a.yaml")).startswith("./sub/../sub/a.yaml:1: ")


def test_an_unknown_suffix_and_a_missing_file_are_errors(tmp_path: Path) -> None:
    assert ".yaml, .yml, .jsonl" in failure(tmp_path / "golden.json").message
    assert "no such file" in failure(tmp_path / "golden.yaml").message


DOCUMENTS = """\
documents: {globs}
queries:
- {{id: q1, text: t, relevant: [d1]}}
- {{id: q2, text: t, relevant: {labels}}}
"""


def test_labels_of_declared_documents_are_accepted(write) -> None:
    write("corpus.jsonl", '{"id": "d1", "text": "x"}\n{"id": "d2", "text": "x"}\n')
    path = write("golden.yaml", DOCUMENTS.format(globs="corpus.jsonl", labels="{d1: 2, d2: 0}"))
    assert len(load_golden(path)) == 2


def test_a_label_without_a_document_is_an_error_with_the_nearest_id_and_counts(write) -> None:
    write("corpus.jsonl", '{"id": "d1", "text": "x"}\n{"id": "doc-42", "text": "x"}\n')
    path = write("golden.yaml", DOCUMENTS.format(globs="corpus.jsonl", labels="{d1: 2, doc-43: 0, zzz: -1}"))
    error = failure(path)
    assert str(error).startswith(f"{path}:4: q2 labels 'doc-43', which is none of the 2 declared documents")
    assert "did you mean 'doc-42'" in error.message
    assert "2, in 1 of 2 queries" in error.message
    assert len(load_golden(path, check_documents=False)) == 2


def test_labels_are_compared_with_the_documents_that_hits_are_mapped_to(write) -> None:
    write(
        "corpus.jsonl",
        '{"id": "d1#1", "text": "x"}\n{"id": "d1#2", "text": "x"}\n{"id": "d2", "text": "x"}\n',
    )
    head = 'document_id: "^(.*)#"\n'
    good = write("golden.yaml", head + DOCUMENTS.format(globs="corpus.jsonl", labels="[d1, d2]"))
    assert len(load_golden(good)) == 2
    chunk = write("golden_chunk.yaml", head + DOCUMENTS.format(globs="corpus.jsonl", labels="['d1#1']"))
    assert "'d1#1', which is none of the 2" in failure(chunk).message


def test_labels_and_file_names_agree_in_any_unicode_form(write) -> None:
    write("docs/re\u0301.md", "x")
    path = write(
        "golden.yaml", "documents: docs/*.md\nqueries:\n- {id: q, text: t, relevant: [docs/r\u00e9.md]}\n"
    )
    assert len(load_golden(path)) == 1


def test_a_glob_without_files_is_an_error_at_the_line_of_the_declaration(write) -> None:
    path = write("golden.yaml", "depth: 5\n" + DOCUMENTS.format(globs="[docs/*.md]", labels="[d1]"))
    error = failure(path)
    assert str(error).startswith(f"{path}:2: ")
    assert "docs/*.md" in error.message


def test_ten_thousand_queries_load_from_both_formats(write) -> None:
    rows = [{"id": f"q{n}", "text": f"t {n}", "relevant": {f"d{n}": 2}} for n in range(10_000)]
    text = "\n".join(json.dumps(row) for row in rows)
    assert len(load_golden(write("a.jsonl", text))) == 10_000
    assert load_golden(write("a.yaml", "- " + text.replace("\n", "\n- "))).queries[9_999].relevant == {
        "d9999": 2
    }


@needs_shared
@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("sap_notes/golden", 20),
        ("cranfield/golden", 225),
        ("xquad/golden", 1192),
        ("xquad/golden_cross", 1192),
    ],
)
def test_real_golden_sets_load(name: str, count: int) -> None:
    path = DATA / f"{name}.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    golden = load_golden(path)
    assert len(golden) == len(rows) == count
    assert [query.relevant for query in golden.queries] == [row["relevant"] for row in rows]
    assert [query.kind for query in golden.queries] == [row["kind"] for row in rows]


@needs_shared
def test_a_real_golden_set_agrees_with_its_corpus(tmp_path: Path) -> None:
    for name in ("sap_notes/golden.jsonl", "xquad/golden_cross.jsonl"):
        path = tmp_path / name
        path.parent.mkdir()
        (path.parent / "corpus.jsonl").symlink_to((DATA / name).parent / "corpus.jsonl")
        path.write_text('{"documents": "corpus.jsonl"}\n' + (DATA / name).read_text("utf-8"), "utf-8")
        assert load_golden(path).queries


@needs_shared
def test_ids_of_the_yaml_case_are_equal_plain_and_quoted() -> None:
    plain, quoted = (load_golden(CASES / f"yaml_ids/golden_{form}.yaml") for form in ("plain", "quoted"))
    assert plain.queries == quoted.queries
    assert len(plain.queries[0].relevant) == 20
    keys = load_golden(CASES / "yaml_ids/golden_ids_as_keys.yaml").queries[0]
    assert (keys.id, keys.kind, keys.relevant) == ("0123", "no", {"007": 2, "no": 1})


@needs_shared
@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("yaml_ids/golden_null.yaml", 6),
        ("jsonl_quirks/golden_nan.jsonl", 2),
        ("jsonl_quirks/golden_dupkey.jsonl", 2),
        ("jsonl_quirks/golden_latin1.jsonl", 2),
        ("jsonl_quirks/golden_broken_line.jsonl", 2),
        ("jsonl_quirks/golden_array.jsonl", 1),
        ("unicode_ids/golden_clash.yaml", 4),
    ],
)
def test_the_cases_that_must_fail_do_so_at_their_line(name: str, line: int) -> None:
    assert failure(CASES / name).line == line


@needs_shared
@pytest.mark.parametrize(
    ("name", "count"),
    [("jsonl_quirks/golden_ok.jsonl", 5), ("unicode_ids/golden.yaml", 4), ("return_shapes/golden.yaml", 17)],
)
def test_the_cases_that_must_load_do(name: str, count: int) -> None:
    assert len(load_golden(CASES / name)) == count
