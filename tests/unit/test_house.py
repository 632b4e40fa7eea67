"""The rules of the house: who may import whom, and how long a module may be."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "pytest_retrieval"
MODULES = sorted(PACKAGE.rglob("*.py"))

ROOMS = ("golden", "retrieval", "scoring", "gating", "reporting", "commands")
"""Data flows this way: a room may import itself and the rooms before it."""

LONGEST = 350


def name_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module: str) -> str:
    """The room of a module of the package: a folder's name, or the module's own."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def imports(path: Path) -> Iterator[str]:
    """Every module that is imported anywhere in a file, also inside functions and for type checkers."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            module = node.module or ""
            # `from package import module` names the module in the second half
            for alias in node.names:
                inner = PACKAGE.parent.joinpath(*module.split("."), f"{alias.name}.py")
                yield f"{module}.{alias.name}" if inner.exists() else module


def ours(path: Path) -> set[str]:
    return {name for name in imports(path) if name.partition(".")[0] == "pytest_retrieval"}


def ids(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def test_the_rooms_are_all_there() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
    assert folders == {*ROOMS, "pytest_side"}
    assert {path.stem for path in PACKAGE.glob("*.py")} == {"__init__", "plugin", "cli"}


@pytest.mark.parametrize("path", MODULES, ids=ids)
def test_only_the_plugin_and_its_side_import_pytest(path: Path) -> None:
    if room_of(name_of(path)) not in ("plugin", "pytest_side"):
        foreign = {"pytest", "_pytest", "pluggy", "xdist"}
        assert not {name for name in imports(path) if name.partition(".")[0] in foreign}


@pytest.mark.parametrize("path", MODULES, ids=ids)
def test_nothing_but_the_plugin_imports_its_side(path: Path) -> None:
    if room_of(name_of(path)) not in ("plugin", "pytest_side"):
        assert not {name for name in ours(path) if room_of(name) in ("plugin", "pytest_side")}


@pytest.mark.parametrize("path", MODULES, ids=ids)
def test_a_room_imports_earlier_rooms_only(path: Path) -> None:
    room = room_of(name_of(path))
    if room in ROOMS:
        earlier = ROOMS[: ROOMS.index(room) + 1]
        # the package itself is named for its version alone
        assert {room_of(name) for name in ours(path)} - {""} <= set(earlier)


def test_only_one_file_imports_what_is_private_to_pytest() -> None:
    users = {path.name for path in MODULES if any(n.partition(".")[0] == "_pytest" for n in imports(path))}
    assert users <= {"private.py"}


def test_the_rooms_import_each_other_without_circles() -> None:
    graph = {name_of(path): ours(path) for path in MODULES if room_of(name_of(path)) in ROOMS}
    done: set[str] = set()

    def visit(module: str, above: tuple[str, ...]) -> None:
        assert module not in above, " -> ".join([*above, module])
        if module not in done:
            for other in graph.get(module, ()):
                visit(other, (*above, module))
            done.add(module)

    for module in graph:
        visit(module, ())


def heavy_at_the_top(path: Path) -> set[str]:
    """numpy and yaml among the imports that run when a module is imported."""
    found = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        found |= {name.partition(".")[0] for name in names} & {"numpy", "yaml"}
    return found


@pytest.mark.parametrize("path", MODULES, ids=ids)
def test_the_plugins_own_modules_import_neither_numpy_nor_yaml(path: Path) -> None:
    if room_of(name_of(path)) in ("plugin", "pytest_side", "", "cli"):
        assert not heavy_at_the_top(path)


@pytest.mark.parametrize("path", MODULES, ids=ids)
def test_a_module_is_short_enough_to_be_read(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= LONGEST


@pytest.mark.parametrize("path", MODULES, ids=ids)
def test_a_module_says_what_it_is(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text("utf-8")))
