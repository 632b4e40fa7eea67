"""Questions and labels of BEIR and TREC under pytest, and what is told about doubtful labels."""

from __future__ import annotations

from inner_project import Project, query


def test_questions_and_labels_stay_in_the_files_of_others(project: Project) -> None:
    project.golden([query("w1"), query("w2", relevant=["D2"])])  # for the table of answers
    (project.path / "golden.yaml").unlink()
    texts = {"w1": "text of w1", "w2": "text of w2", "w3": "x"}
    project.write(
        "topics.jsonl", "".join(f'{{"_id": "{name}", "text": "{texts[name]}"}}\n' for name in texts)
    )
    project.write("qrels.tsv", "query-id\tcorpus-id\tscore\nw1\tD1\t1\nw2\tD1\t1\n")
    project.write("golden_beir.yaml", "queries: topics.jsonl\nqrels: qrels.tsv\nmetrics: [recall@5]\n")
    run = project.run("--update-baseline")
    assert run.exit == 0
    result = run.set("golden_beir.yaml")
    assert [(row["id"], row["scores"]["recall@5"]) for row in result["queries"]] == [("w1", 1.0), ("w2", 0.0)]
    assert result["notes"] == ["1 questions without any label were left out, 'w3' first"]
    assert "note: 1 questions without any label were left out, 'w3' first" in run.text
    assert project.run("--retrieval-baseline").exit == 0


def test_a_mistake_in_the_files_of_others_is_told_at_its_place(project: Project) -> None:
    project.write("topics.tsv", "w1\ttext of w1\n")
    project.write("qrels.txt", "w1 0 D1 good\n")
    project.write("golden.yaml", "queries: topics.tsv\nqrels: qrels.txt\n")
    run = project.run(report=False)
    assert run.exit == 2
    assert "qrels.txt:1: found the grade 'good', expected a whole number" in run.text


def test_the_same_question_with_two_answers_is_told(project: Project) -> None:
    project.golden([query("w1"), query("w2", text="text of w1", relevant=["D2"])])
    run = project.run()
    (note,) = run.set()["notes"]
    assert note == (
        "1 questions are asked more than once with different labels: w1 = w2; "
        "more with: pytest-retrieval check golden.yaml"
    )
