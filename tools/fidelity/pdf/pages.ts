import { makeBusinessPage } from '../../evidence/business.ts'
import { scoreBusiness } from '../../evidence/business-score.ts'
import { printerOf } from '../../evidence/fixtures.ts'
import { scoreScript } from '../../evidence/script-score.ts'
import { makeScriptPage } from '../../evidence/scripts.ts'
import { measurePages } from './printed-pages.ts'
import type { FileScores } from './scores.ts'

/** Invoices, forms and price lists. */
export const measureBusiness = (place: string): Promise<Record<string, FileScores>> =>
  measurePages(place, {
    count: 120,
    make: makeBusinessPage,
    printerOf,
    format: 'html',
    score: (page, html) => ({ ...scoreBusiness(page, html) }),
  })

/** Pages in ten scripts. The seed's last digit selects the language, the other digits the printer. */
export const measureScripts = (place: string): Promise<Record<string, FileScores>> =>
  measurePages(place, {
    count: 120,
    make: makeScriptPage,
    printerOf: (seed) => printerOf(seed + Math.floor(seed / 10)),
    format: 'txt',
    score: (page, text) => {
      const { cells, ...others } = scoreScript(page, text)
      return page.table.length > 0 ? { ...others, cells } : others
    },
  })
