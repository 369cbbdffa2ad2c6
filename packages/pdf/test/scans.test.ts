import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileCache } from '@kiln/test-support/compile-cache.ts'
import { onePage, scannedPage } from '@kiln/test-support/pdf-file.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkshop, program, unzip, type Workshop } from './office.ts'

// A page that is a picture, made from a page of text: with text recognition at hand and without it.

let shop: Workshop
let scan: string
let report: string
beforeAll(() => {
  shop = openWorkshop()
  const lines = ['Kilns fire clay at great heat.', 'The second line of the page.']
  scan = scanned('scan', `BT /F1 24 Tf 72 700 Td ${lines.map((l) => `(${l}) Tj 0 -60 Td`).join(' ')} ET`)
  const prose = Array.from({ length: 6 }, (_, i) =>
    at('Clay that was fired once lasts longer than the hand that shaped it.', 72, 660 - 15 * i),
  )
  const rows = ['Bowl', 'Plate', 'Cup', 'Jug'].flatMap((name, i) =>
    [name, `${12 + i}`, `${3 + i}.50`].map((text, k) => at(text, 72 + 150 * k, 530 - 24 * i)),
  )
  report = scanned('report', [at('Annual report', 72, 710, 26), ...prose, ...rows].join(' '))
})

const at = (text: string, x: number, y: number, size = 12): string =>
  `BT /F1 ${size} Tf ${x} ${y} Td (${text}) Tj ET`

const picture = ['-r', '150', '-jpeg', '-singlefile']

/** A page of text as a picture of itself. */
function scanned(name: string, content: string): string {
  const text = shop.write(`${name}-text.pdf`, onePage(content))
  execFileSync('pdftoppm', [...picture, text, join(shop.folder, name)])
  const jpeg = readFileSync(join(shop.folder, `${name}.jpg`))
  return shop.write(`${name}.pdf`, scannedPage(jpeg, { width: 1275, height: 1650 }))
}
afterAll(() => shop.close())

/** A page of text whose letters are drawn as paths, as design programs write them. */
function outlined(name: string, content: string): string {
  const text = shop.write(`${name}-text.pdf`, onePage(content))
  const svg = execFileSync('pdftocairo', ['-svg', text, '-'], { encoding: 'utf8' })
  const glyphs = new Map(
    [...svg.matchAll(/id="(glyph[^"]+)">\s*<path[^>]* d="([^"]*)"/g)].map(([, id, path = '']) => [
      id,
      path.replace(/([MLCZ])([^MLCZ]*)/g, (_, command, points) => `${points} ${operators[command]}\n`),
    ]),
  )
  const uses = [...svg.matchAll(/xlink:href="#(glyph[^"]+)" x="([\d.]+)" y="([\d.]+)"/g)]
  return shop.write(
    `${name}.pdf`,
    onePage(
      uses.map(([, id, x, y]) => `q 1 0 0 -1 ${x} ${792 - Number(y)} cm ${glyphs.get(id)} f Q`).join('\n'),
    ),
  )
}
const operators: Record<string, string> = { M: 'm', L: 'l', C: 'c', Z: 'h' }

const run = (output: string, path = process.env.PATH ?? '', input = scan) =>
  spawnSync(process.execPath, [program, input, join(shop.folder, output)], {
    encoding: 'utf8',
    timeout: 60_000,
    env: { PATH: path, ...compileCache },
  })

/** A search path on which tesseract is a shell script. */
function pathWith(name: string, script: string): string {
  const folder = join(shop.folder, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'tesseract'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return `${folder}:${process.env.PATH}`
}

describe('a scan', () => {
  it('is unsupported where nothing can read it', () => {
    const result = run('without.docx', '/nowhere')
    expect(result.status).toBe(3)
    expect(JSON.parse(result.stderr)).toMatchObject({ failure: 'unsupported' })
  })

  it('is read where tesseract is installed, and the page says so', () => {
    expect(run('with.html').status).toBe(0)
    const text = readFileSync(join(shop.folder, 'with.html'), 'utf8')
    expect(text).toContain('Kilns fire clay at great heat.')
    expect(text).toContain('The second line of the page.')
    expect(text).toContain('recognised from pictures')
  })

  it('is read as Chinese of its own form', () => {
    const text = [
      '陶工把碗和盘子放在窑里过了一夜，一直等到天亮。早晨他打开窑门，仔细',
      '看了每一件器物，把最漂亮的留下来拿到集市上去卖。剩下的他送给了邻居，',
      '邻居们从自己的园子里带来了新鲜的面包、蜂蜜和苹果。',
    ].join('<br>')
    const style = 'font: 14pt Noto Serif CJK SC; margin: 0'
    const page = shop.write('form.html', `<meta charset="utf-8"><p lang="zh-CN" style="${style}">${text}</p>`)
    execFileSync('pdftoppm', [...picture, shop.office(page, 'pdf'), join(shop.folder, 'form')])
    const jpeg = readFileSync(join(shop.folder, 'form.jpg'))
    const input = shop.write('form-scan.pdf', scannedPage(jpeg, { width: 1275, height: 1650 }))
    expect(run('form.txt', process.env.PATH, input).stdout).toContain('"languages":["chi_sim"]')
  })

  it('is named where the recognition fails', () => {
    const path = pathWith('failing', '[ "$1" = --list-langs ] && echo "languages:" && echo eng\nexit $?')
    const result = run('failing.html', path)
    expect(result.stdout).toContain('"failed":[1]')
    expect(result.stdout).toContain('"unread":[]')
  })

  it('has the numbers that stand alone at the ends of its lines', () => {
    const titles = ['Clay and water', 'The wheel', 'Glaze', 'Firing the kiln', 'Cooling', 'Selling']
    const lines = titles.flatMap((title, i) => [
      at(title, 72, 700 - 18 * i),
      at(String(i + 3), 530, 700 - 18 * i),
    ])
    expect(run('alone.txt', process.env.PATH, scanned('alone', lines.join(' '))).status).toBe(0)
    const text = readFileSync(join(shop.folder, 'alone.txt'), 'utf8')
    for (const [i, title] of titles.entries()) expect(text).toMatch(new RegExp(`${title}\\s+${i + 3}\n`))
  })

  it('has its titles and page numbers where dots lead from one to the other', { tags: 'slow' }, () => {
    const titles = [
      'Clay and water',
      'The wheel',
      'Glaze',
      'Firing the kiln',
      'Cooling',
      'Selling at the market',
    ]
    const lines = titles.map((title, i) => `(${title} ${'. '.repeat(30)} ${11 * (i + 1)}) Tj 0 -40 Td`)
    const contents = scanned('contents', `BT /F1 14 Tf 72 700 Td ${lines.join(' ')} ET`)
    expect(run('contents.txt', process.env.PATH, contents).status).toBe(0)
    const text = readFileSync(join(shop.folder, 'contents.txt'), 'utf8')
    for (const [i, title] of titles.entries()) {
      expect(text).toContain(title)
      expect(text).toContain(String(11 * (i + 1)))
    }
  })

  it('is called a picture where it is one, and has no text', { tags: 'slow' }, () => {
    scanned('blank', '')
    const result = run('blank.txt', process.env.PATH, join(shop.folder, 'blank.jpg'))
    expect(result.status).toBe(3)
    expect(JSON.parse(result.stderr).sentence).toContain('No text was found in the picture.')
  })

  it('has headings, paragraphs and tables as other pages have, and says so in Markdown too', () => {
    expect(run('report.md', process.env.PATH, report).status).toBe(0)
    const text = readFileSync(join(shop.folder, 'report.md'), 'utf8')
    expect(text).toMatch(/^# Annual report$/m)
    const sentence = 'Clay that was fired once lasts longer than the hand that shaped it.'
    expect(text).toContain(Array.from({ length: 6 }, () => sentence).join(' '))
    expect(text).toMatch(/^\| Plate \| 13 \| 4\.50 \|$/m)
    expect(text).toContain('recognised from pictures')
  })

  it('has lists whose items take several lines, and HTML has its picture too', () => {
    const items = ['i.', 'ii.', 'iii.'].flatMap((number, i) => [
      at(number, 72, 600 - 45 * i),
      at('Clay that was fired once lasts longer than the hand that shaped', 90, 600 - 45 * i),
      at('the bowl, the plate and the cup.', 90, 585 - 45 * i),
    ])
    const prose = at('Clay that was fired once lasts longer than the hand that shaped the bowl.', 72, 640)
    const list = scanned('list', [prose, ...items].join(' '))
    expect(run('list.md', process.env.PATH, list).status).toBe(0)
    const item =
      'Clay that was fired once lasts longer than the hand that shaped the bowl, the plate and the cup.'
    const text = readFileSync(join(shop.folder, 'list.md'), 'utf8')
    expect(text).toContain([1, 2, 3].map((number) => `${number}. ${item}`).join('\n'))
    expect(run('list.html', process.env.PATH, list).status).toBe(0)
    const html = readFileSync(join(shop.folder, 'list.html'), 'utf8')
    expect(html).toMatch(/<ol[^>]*><li>Clay/)
    expect(html).toContain('<img src="data:image/jpeg')
  })

  it('keeps its picture in a Word file, loses nothing of its tables, and the document says so', {
    tags: 'slow',
  }, () => {
    expect(run('report.docx', process.env.PATH, report).status).toBe(0)
    const parts = unzip(join(shop.folder, 'report.docx'))
    const body = parts.get('word/document.xml')?.toString('utf8') ?? ''
    const text = body.replace(/<[^>]+>/g, '')
    expect(text).toContain('Clay that was fired once lasts longer than the hand that shaped it.')
    expect(text).toContain('Jug 15 6.50')
    expect(body).not.toContain('<w:tbl>')
    expect([...parts.keys()].some((n) => n.startsWith('word/media/'))).toBe(true)
    expect(parts.get('docProps/core.xml')?.toString('utf8')).toContain('recognised from pictures')
  })

  it('of an open book has its pages in order, however each is skewed', () => {
    const pageOf = (words: string, x: number, slope: number): string =>
      Array.from(
        { length: 24 },
        (_, i) => `BT /F1 11 Tf 1 ${slope} ${-slope} 1 ${x} ${395 - 15 * i} Tm (${words} ${i + 1}.) Tj ET`,
      ).join(' ')
    const pages = [
      pageOf('The left page of the book has the line', 36, 0.03),
      pageOf('The right page of the book has the line', 350, -0.03),
    ]
    const text = shop.write('book-text.pdf', onePage(pages.join(' '), '/CropBox [0 0 612 440]'))
    execFileSync('pdftoppm', [
      '-r',
      '200',
      '-cropbox',
      '-jpeg',
      '-singlefile',
      text,
      join(shop.folder, 'book'),
    ])
    const jpeg = readFileSync(join(shop.folder, 'book.jpg'))
    const book = shop.write('book.pdf', scannedPage(jpeg, { width: 1700, height: 1223 }, 612))
    expect(run('book.txt', process.env.PATH, book).status).toBe(0)
    const lines = readFileSync(join(shop.folder, 'book.txt'), 'utf8').match(
      /(left|right) page of the book has the line \d+/g,
    )
    const wanted = ['left', 'right'].flatMap((side) =>
      Array.from({ length: 24 }, (_, i) => `${side} page of the book has the line ${i + 1}`),
    )
    expect(lines).toEqual(wanted)
  })

  it('is read on its side, in its own language', { tags: 'slow' }, () => {
    const lines = [
      'Der Ofen steht auf dem Hof und ist noch warm.',
      'Er ist mit dem Ton nicht bei der Arbeit.',
    ]
    const text = `BT /F1 20 Tf 72 700 Td ${lines.map((l) => `(${l}) Tj 0 -40 Td`).join(' ')} ET`
    const upright = scanned('german', text)
    const turned = join(shop.folder, 'turned.pdf')
    execFileSync('qpdf', ['--rotate=+90', upright, turned])
    // The detection of the rotation may wait for a CPU as long as a page.
    const slow = `case "$*" in *"--psm 0"*) sleep 16;; esac\nPATH='${process.env.PATH}' exec tesseract "$@"`
    const result = run('turned.txt', pathWith('slow', slow), turned)
    expect(result.stdout).toContain('"languages":["deu"]')
    const read = readFileSync(join(shop.folder, 'turned.txt'), 'utf8')
    for (const line of lines) expect(read).toContain(line)
  })

  it('is read in its own language where a list of names has no frequent words', { tags: 'slow' }, () => {
    const lines = [
      'Rumänien, Dänemark, Südafrika, Brüssel, Straßburg',
      'München, Köln, Düsseldorf, Nürnberg, Frankfurt',
      'Hamburg, Thüringen, Würzburg, Göttingen, Hannover',
      'Saarbrücken, Tübingen, Lübeck, Dresden, Gießen',
    ]
    const shown = lines.map((line) => `[(${withMarks(line)})] TJ 0 -24 Td`)
    const list = scanned('names', `BT /F1 14 Tf 72 700 Td ${shown.join(' ')} ET`)
    const result = run('names.txt', process.env.PATH, list)
    expect(result.stdout).toContain('"languages":["deu"]')
    const read = readFileSync(join(shop.folder, 'names.txt'), 'utf8')
    for (const line of lines) expect(read).toContain(line)
  })
})

/** The standard encoding has the dots of an umlaut as a letter of their own, which is drawn over another. */
const withMarks = (text: string): string =>
  text.normalize('NFD').replaceAll('\u0308', ') 444.5 (\\310) -111.5 (').replaceAll('ß', '\\373')

describe('a page whose text is drawn as outlines', () => {
  it('is read', () => {
    const page = outlined('outlines', 'BT /F1 24 Tf 72 700 Td (Kilns fire clay at great heat.) Tj ET')
    expect(run('outlines.md', process.env.PATH, page).status).toBe(0)
    expect(readFileSync(join(shop.folder, 'outlines.md'), 'utf8')).toContain('Kilns fire clay at great heat.')
  })

  it('stays a drawing where most of it is no text', { tags: 'slow' }, () => {
    const page = outlined('drawing', 'BT /F1 24 Tf 72 700 Td (Kilns) Tj ET')
    const circle = '300 300 m 300 500 500 500 500 300 c 500 100 300 100 300 300 c f'
    const drawing = shop.write('circle.pdf', onePage(`${circle} ${contentOf(page)}`))
    const result = run('circle.html', process.env.PATH, drawing)
    expect(result.status).toBe(0)
    expect(result.stdout).toContain('"recognised":[],"failed":[],"languages":[]')
    const html = readFileSync(join(shop.folder, 'circle.html'), 'utf8')
    expect(html).toContain('<img')
    expect(html).not.toContain('recognised from pictures')
  })
})

/** What `outlined` drew. */
const contentOf = (file: string): string =>
  /stream\n([\s\S]*?)\nendstream/.exec(readFileSync(file, 'latin1'))?.[1] ?? ''
