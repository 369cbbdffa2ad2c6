#!/usr/bin/python3
"""Scores Markdown files. Reads one JSON object per line: {"benchmark", "folder", "output"}; prints one per line.

score.py TRUTH BENCHMARKS    the folders of the evaluation data, which hold the metrics
"""
import importlib.util, json, os, sys


def load(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


truth, benchmarks = sys.argv[1:3]
sys.path.insert(0, benchmarks)
metrics = load('score', os.path.join(benchmarks, 'score.py'))
pairs = load('pairs', os.path.join(truth, 'bench.py'))



def strict(truth, md, given):
    """Mean of text, headings, lists and tables, where what the truth lacks must be missing: n invented ones score 1 / (1 + n).

    `given` holds the scores of the parts that the truth has. Tables beyond the number of true ones lower the score of the true ones.
    """
    T, P = metrics.Doc(pairs.clean(truth)), metrics.Doc(pairs.clean(md))
    def part(value, true, found):
        invented = max(0, len(found) - len(true))
        return 1 / (1 + invented) if value is None else value
    tables = part(given['tables'], T.tables, P.tables)
    if given['tables'] is not None: tables *= len(T.tables) / max(len(T.tables), len(P.tables))
    parts = [given['text'], part(given['headings'], T.headings, P.headings), part(given['lists'], T.items, P.items), tables]
    return sum(parts) / len(parts)


def score(benchmark, folder, text):
    if benchmark in ('truth', 'prints'):
        with open(os.path.join(folder, 'truth.md'), encoding='utf-8') as f: truth = f.read()
        result = pairs.score(truth, text)
        return {**result, 'strict': strict(truth, text, result)}
    result = metrics.score(benchmark, folder, text if text.strip() else '\n')
    if benchmark == 'odl':
        with open(os.path.join(folder, 'truth.md'), encoding='utf-8') as f: truth = f.read()
        lists = pairs.list_score(metrics.Doc(truth).items, metrics.Doc(text).items)
        result['strict'] = strict(truth, text, {'text': result['nid'], 'headings': result['mhs'], 'lists': lists, 'tables': result['teds']})
    return result


for line in sys.stdin:
    task = json.loads(line)
    with open(task['output'], encoding='utf-8', errors='replace') as f: text = f.read()
    print(json.dumps(score(task['benchmark'], task['folder'], text), default=str), flush=True)
