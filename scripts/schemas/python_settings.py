"""The settings that Python sources declare, read from their syntax tree; nothing is imported or run.

    python_settings.py dataclass FILE CLASS     fields of a dataclass: name, type, default
    python_settings.py argparse FILE            add_argument("--name", type=, default=, action=)
    python_settings.py estimators FILE          members of AdvantageEstimator, names in @register_adv_est
"""
import ast
import json
import sys


def literal(node):
    try:
        value = ast.literal_eval(node)
        json.dumps(value)
        return value
    except (ValueError, TypeError):
        return None


def default_of(node):
    if isinstance(node, ast.Call):
        given = {keyword.arg: keyword.value for keyword in node.keywords}
        return literal(given["default"]) if "default" in given else None
    return None if node is None else literal(node)


def fields(tree, name):
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name == name:
            for item in node.body:
                if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
                    yield item.target.id, ast.unparse(item.annotation), default_of(item.value)


def bound(node, names):
    """A literal in which loop variables stand for their values: f"--{prefix}.lr", 1e-6 if prefix == "actor" else 9e-6."""
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.JoinedStr):
        parts = [bound(part.value if isinstance(part, ast.FormattedValue) else part, names) for part in node.values]
        return None if None in parts else "".join(map(str, parts))
    if isinstance(node, ast.IfExp) and isinstance(node.test, ast.Compare) and isinstance(node.test.ops[0], ast.Eq):
        same = bound(node.test.left, names) == bound(node.test.comparators[0], names)
        return bound(node.body if same else node.orelse, names)
    return literal(node)


def arguments(node, names=None):
    names = names or {}
    if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
        for value in literal(node.iter) or []:
            for item in node.body:
                yield from arguments(item, {**names, node.target.id: value})
        return
    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "add_argument":
        given = {keyword.arg: keyword.value for keyword in node.keywords}
        action = literal(given["action"]) if "action" in given else None
        kind = ast.unparse(given["type"]) if "type" in given else ("bool" if action else "str")
        default = bound(given["default"], names) if "default" in given else (False if action == "store_true" else None)
        for name in (bound(argument, names) for argument in node.args):
            if isinstance(name, str) and name.startswith("--"):
                yield name[2:], kind, default
    for child in ast.iter_child_nodes(node):
        yield from arguments(child, names)


def estimators(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name == "AdvantageEstimator":
            for item in node.body:
                if isinstance(item, ast.Assign):
                    yield literal(item.value)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "register_adv_est":
            for argument in node.args:
                if isinstance(literal(argument), str):
                    yield literal(argument)


def main(kind, path, *rest):
    with open(path, encoding="utf8") as file:
        tree = ast.parse(file.read())
    found = {
        "dataclass": lambda: list(fields(tree, *rest)),
        "argparse": lambda: list(arguments(tree)),
        "estimators": lambda: sorted(set(filter(None, estimators(tree)))),
    }[kind]()
    json.dump(found, sys.stdout)


main(*sys.argv[1:])
