import { describe, expect, test } from 'vitest'
import { completeFonts } from '../../engines/libreoffice/as-excel/incomplete-parts.ts'
import { markdownLines } from '../../engines/libreoffice/text-forms/markdown.ts'
import { readableHtml } from '../../engines/pandoc/readable-html.ts'
import { openDocumentFonts, sheetFonts, wordFonts } from './named-fonts.ts'
import { shownText } from './shown-text.ts'

// Many start tags without end tags are scanned once, and not again from each start tag.

const cpuSeconds = (work: () => unknown): number => {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1e6
}

const megabytes = (text: string) => text.repeat((4 << 20) / text.length)
const part = (name: string, text: string) => (wanted: string) => (wanted === name ? megabytes(text) : '')

describe('a file of megabytes takes less than a second', () => {
  test.each<[string, () => unknown]>([
    ['defaults of Word', () => wordFonts(part('word/styles.xml', '<w:docDefaults '))],
    ['fonts of cells', () => completeFonts(megabytes('<fonts '))],
    ['formats of cells', () => sheetFonts(part('xl/styles.xml', '<cellXfs '))],
    ['default styles', () => openDocumentFonts(part('styles.xml', '<style:default-style '))],
    ['comments', () => shownText('<!--'.repeat(200_000))],
    ['quoted values', () => shownText('<a ="'.repeat(1_000_000))],
    ['scripts', () => shownText('<script>'.repeat(500_000))],
    ['list of comments', () => readableHtml(`<ul>${'<!--'.repeat(1_000_000)}`)],
    ['lists with values', () => readableHtml('<ul a="'.repeat(600_000))],
    ['white space in a span', () => readableHtml(`<td colspan=${' '.repeat(4_000_000)}`)],
    ['white space in a cell', () => [...markdownLines([slideOf(`a${' '.repeat(300_000)}b`)])]],
  ])('%s', (_, work) => {
    expect(cpuSeconds(work)).toBeLessThan(1)
  })
})

const slideOf = (text: string) => ({
  number: 1,
  title: '',
  isHidden: false,
  notes: [],
  blocks: [{ kind: 'paragraph' as const, text: [text] }],
})

const words = (html: string) => shownText(html).trim().split(/\s+/)

test('tags end behind their quoted values, and scripts at their end tags', () => {
  expect(words('one <a title="not > shown" alt=\'nor > this\'>two</a> < 3')).toEqual(['one', 'two', '<', '3'])
  expect(words("<a title=don't>one</a> <a class='x'>two</a>")).toEqual(['one', 'two'])
  expect(words('<script>if (a<b) c = "<p>not"</script>one<script src="x"/>two<style>p<q{}')).toEqual([
    'one',
    'two',
  ])
})

test('comments are not shown, whatever they hold', () => {
  expect(words('<p>one</p><!-- <b>hidden</b> --><p>two</p>')).toEqual(['one', 'two'])
  expect(words('<p>one</p><!-- hidden <!-- too --><p>two</p><!-- and <p>the rest</p>')).toEqual([
    'one',
    'two',
  ])
})
