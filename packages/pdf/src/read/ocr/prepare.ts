import { withoutBorder } from './border.ts'
import type { Grey } from './grey.ts'
import { evenLight } from './lighting.ts'
import { withoutSpecks } from './specks.ts'

// What a scan needs before its text is recognised. Each step measures the page first and leaves a page alone that does
// not need it. How the page lies is for the engine to find, which knows which way is up.

type Step = (image: Grey) => Grey

const steps: Readonly<Record<string, Step>> = { withoutBorder, evenLight, withoutSpecks }

export const prepareScan = (image: Grey): Grey =>
  Object.values(steps).reduce((page, step) => step(page), image)
