import type { Grey } from './grey.ts'
import { evenLight } from './lighting.ts'
import { rectified } from './perspective.ts'
import { despeckled } from './specks.ts'

// Prepares a scan for OCR. Each step measures the page first and leaves it unchanged if it does not need the step.
// Rotation is left to the engine, which detects the orientation.

export const prepareScan = (image: Grey): Grey => despeckled(evenLight(rectified(image)))
