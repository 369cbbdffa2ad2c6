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

for line in sys.stdin:
    task = json.loads(line)
    with open(task['output'], encoding='utf-8', errors='replace') as f: text = f.read()
    if task['benchmark'] in ('truth', 'prints'):
        with open(os.path.join(task['folder'], 'truth.md'), encoding='utf-8') as f: result = pairs.score(f.read(), text)
    elif text.strip():
        result = metrics.score(task['benchmark'], task['folder'], text)
    else:
        result = metrics.score(task['benchmark'], task['folder'], '\n')
    print(json.dumps(result, default=str), flush=True)
