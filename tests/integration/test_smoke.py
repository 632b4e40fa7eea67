from inner_project import Project, queries
def test_a(project: Project):
    project.golden(queries(3))
    r = project.run("--update-baseline"); print(r.text); assert r.exit == 0
    r = project.run("--retrieval-baseline"); print(r.text); assert r.exit == 0
    print(project.events, r.report)
    assert 0
def test_b(project: Project):
    project.golden(queries(3))
    r = project.run_apart("--update-baseline"); print(r.text); assert r.exit == 0
def test_c(project: Project):
    project.golden(queries(3))
    r = project.run_apart("-n2"); print(r.text); assert r.exit == 0
