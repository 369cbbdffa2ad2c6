#!/usr/bin/python3
"""Scores Markdown and Word files. Reads one JSON object per line: {"benchmark", "folder", "file", "markdown", "docx"}; prints one per line.

score.py TRUTH BENCHMARKS [WORD]    the folders of the evaluation data, which hold the metrics
"""
import importlib.util, json, os, re, sys


def load(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


truth, benchmarks = sys.argv[1:3]
word = None
if len(sys.argv) > 3:
    word = load('word', os.path.join(sys.argv[3], 'score.py'))
    # Printing takes most of the time, and shows looks alone.
    word.render_docx = lambda *_: (None, 'not printed')
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


WORD_PARTS = ('text', 'paragraphs', 'flow', 'tables', 'headings', 'lists', 'header_footer', 'columns', 'notes')


def word_file(folder, file, docx):
    """The structure of a Word file against the Word file that the PDF was printed from, or what a person read off the pages."""
    path = lambda name: os.path.join(folder, name)
    expected = None
    if os.path.exists(path('expected.json')):
        with open(path('expected.json'), encoding='utf-8') as f: expected = json.load(f)
    truth = path('truth.docx') if os.path.exists(path('truth.docx')) else None
    result = word.score(file, docx, truth, expected)
    parts = {k: result['metrics'][k]['score'] for k in WORD_PARTS if k in result['metrics']}
    weights = {k: result['weights_used'].get(k, 0) for k in parts}
    return {**parts, 'overall': sum(parts[k] * w for k, w in weights.items()) / (sum(weights.values()) or 1)}


def blocks(md):
    """Paragraphs of a Markdown text, each with whether its end is known: cells of a table and lines of code are not."""
    out, fence = [], False
    for block in re.split(r'\n\s*\n', md):
        lines = block.split('\n')
        known = not fence and '|' not in block and '```' not in block and '<t' not in block
        if block.count('```') % 2: fence = not fence
        starts = [i for i, l in enumerate(lines) if i == 0 or re.match(r'\s*(?:[-*+•]|\(?\w{1,3}[.)]|#+)\s', l)]
        for a, b in zip(starts, starts[1:] + [len(lines)]):
            out.append((metrics.Doc('\n'.join(lines[a:b])).plain, known))
    return out


def word_structure(truth, docx):
    """Paragraph ends, headings, lists and tables of a Word file against Markdown; `strict` as above."""
    if os.path.getsize(docx) == 0: return {'paragraphs': 0.0, 'word': 0.0}
    T, found = metrics.Doc(pairs.clean(truth)), word.parse_docx(docx)
    _, tokens, ends, sources = word.doc_stream(found)
    true_tokens, true_ends, known = [], [], []
    for text, care in blocks(pairs.clean(truth)):
        own = word.toks(word.strip_label(word.norm(text)))
        if not own: continue
        true_tokens += own; true_ends += [0] * (len(own) - 1) + [2]; known += [care] * len(own)
    _, aligned = word.align(true_tokens, tokens)
    tables = [[[r, c, 1, 1, word.key(text)] for r, row in enumerate(pairs.grid(t).rows) for c, (text, _, _) in enumerate(row)] for t in T.tables]
    in_tables = sum(p.table is not None for p in sources) / max(1, len(sources))
    body = [p for p in found.pars if not p.note]
    parts = [
        word.m_paragraphs(true_ends, known, ends, aligned),
        word.m_headings([(t, l) for l, t in T.headings], [(p.text, p.heading) for p in body if p.heading is not None]),
        word.m_lists(T.items, [p.text for p in body if p.is_list]),
        word.m_tables(tables, word.real_tables(found.tables), in_tables),
    ]
    return {'paragraphs': parts[0]['score'], 'word': sum(p['score'] for p in parts) / len(parts)}


def score(benchmark, folder, file, text, docx):
    if benchmark == 'word': return word_file(folder, file, docx)
    if benchmark in ('truth', 'prints', 'scripts'):
        with open(os.path.join(folder, 'truth.md'), encoding='utf-8') as f: truth = f.read()
        result = pairs.score(truth, text)
        return {**result, 'strict': strict(truth, text, result), **(word_structure(truth, docx) if word else {})}
    result = metrics.score(benchmark, folder, text if text.strip() else '\n')
    if benchmark == 'odl':
        with open(os.path.join(folder, 'truth.md'), encoding='utf-8') as f: truth = f.read()
        lists = pairs.list_score(metrics.Doc(truth).items, metrics.Doc(text).items)
        result['strict'] = strict(truth, text, {'text': result['nid'], 'headings': result['mhs'], 'lists': lists, 'tables': result['teds']})
    return result


for line in sys.stdin:
    task = json.loads(line)
    with open(task['markdown'], encoding='utf-8', errors='replace') as f: text = f.read()
    print(json.dumps(score(task['benchmark'], task['folder'], task['file'], text, task['docx']), default=str), flush=True)
