import type { Grey } from './grey.ts'
import { evenLight } from './lighting.ts'
import { withoutSpecks } from './specks.ts'

// What a scan needs before its text is recognised. Each step measures the page first and leaves a page alone that does
// not need it. How the page lies is for the engine to find, which knows which way is up.

export const prepareScan = (image: Grey): Grey => withoutSpecks(evenLight(image))
