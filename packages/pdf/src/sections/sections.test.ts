import { describe, expect, it } from 'vitest'
import { emptyParagraph } from '../blocks/block.ts'
import { type BandBlocks, buildSections } from './sections.ts'

const box = { x0: 72, y0: 72, x1: 500, y1: 90 }
const frame = { left: 72, right: 528, top: 72, bottom: 720, edges: [] }

const bandOn = (page: number, headerTop?: number, footerBottom?: number): BandBlocks => ({
  page,
  band: { box, columns: [{ box, items: [] }] },
  size: { width: 600, height: 800 },
  frame,
  headerTop,
  footerBottom,
  blocks: [emptyParagraph(box, page, undefined)],
})

describe('sections', () => {
  it('running lines stand where most pages have them, though the first has none', () => {
    const [section] = buildSections([bandOn(0), bandOn(1, 46, 760), bandOn(2, 46, 760), bandOn(3, 20, 760)])
    expect(section?.margins).toMatchObject({ header: 46, footer: 40 })
  })

  it('a page whose text begins close to where they stand elsewhere keeps its place', () => {
    const high = { ...bandOn(0), frame: { ...frame, top: 60 } }
    const [section] = buildSections([high, bandOn(1, 46), bandOn(2, 46)])
    expect(section?.margins).toMatchObject({ top: 60, header: 30 })
  })

  it('running lines that end below where the text of their page begins do not move it', () => {
    const [section] = buildSections([bandOn(0, 80, 700), bandOn(1, 80, 700)])
    expect(section?.margins).toMatchObject({ top: 72, header: 36, footer: 36 })
  })

  it('space above the first paragraph of a page is kept where it is seen', () => {
    const wide = { ...bandOn(1), frame: { ...frame } }
    const spaced = (before: number): boolean | undefined => {
      const blocks = wide.blocks.map((b) => ({ ...b, startsPage: true, before }))
      return buildSections([bandOn(0), { ...wide, blocks }])[1]?.blocks[0]?.startsPage
    }
    expect(spaced(9)).toBe(true)
    expect(spaced(1)).toBe(false)
  })

  it('a page that begins inside a paragraph stays in its section, though it begins higher', () => {
    const high = { ...bandOn(1), frame: { ...frame, top: 60 } }
    expect(buildSections([bandOn(0), { ...high, goesOn: true }])).toHaveLength(1)
    expect(buildSections([bandOn(0), high])).toHaveLength(2)
  })
})
