import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ConversionFailed } from '../../failure.ts'
import { outputArguments } from './arguments.ts'
import { defaultMediaLimits } from './limits.ts'
import { readMediaInfo } from './media-info.ts'
import { makePlan } from './plan.ts'
import { targets } from './targets.ts'

// ffprobe parses an untrusted file, so its output may contain anything. It always results either in a failure with a
// failure word or in arguments that consist of constants and numbers.

const loose = fc.oneof(fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null))
const stream = fc.record(
  {
    index: fc.oneof(fc.nat(300), loose),
    codec_type: fc.oneof(fc.constantFrom('video', 'audio', 'subtitle', 'data'), loose),
    codec_name: fc.oneof(
      fc.constantFrom('h264', 'vp9', 'gif', 'aac', 'ac3', 'subrip', 'dvd_subtitle', 'png'),
      loose,
    ),
    codec_tag_string: loose,
    pix_fmt: fc.oneof(fc.constantFrom('yuv420p', 'yuv420p10le', 'bgra'), loose),
    width: fc.oneof(fc.integer({ min: -1, max: 9000 }), loose),
    height: fc.oneof(fc.integer({ min: -1, max: 9000 }), loose),
    channels: fc.oneof(fc.nat(9), loose),
    duration: fc.oneof(fc.nat(9000).map(String), loose),
    avg_frame_rate: fc.oneof(fc.constantFrom('30/1', '0/0', '90000/1'), loose),
    field_order: loose,
    color_transfer: fc.oneof(fc.constant('smpte2084'), loose),
    disposition: fc.oneof(fc.constant({ attached_pic: 1 }), loose),
    tags: fc.oneof(fc.dictionary(fc.string(), fc.string()), loose),
    side_data_list: fc.oneof(fc.array(fc.record({ rotation: loose, displaymatrix: loose })), loose),
  },
  { requiredKeys: [] },
)
const answer = fc.record({
  format: fc.record({ duration: loose }),
  streams: fc.array(stream, { maxLength: 6 }),
})
const target = fc.constantFrom(...Object.values(targets))

const harmless = /^[\w=:.|*/()\\;,[\]+-]+$/

it('never reach the command line', () => {
  fc.assert(
    fc.property(answer, target, fc.boolean(), (said, to, isAnimation) => {
      try {
        const info = readMediaInfo(JSON.stringify(said))
        const plan = makePlan(info, 'matroska', to, 'copy-what-fits')
        const options = {
          asked: {},
          limits: defaultMediaLimits,
          threads: 2,
          seconds: info.seconds,
          isAnimation,
        }
        for (const argument of outputArguments(plan, to, options)) {
          expect(argument).toMatch(harmless)
          expect(argument).not.toMatch(/NaN|Infinity|undefined|\/in|\/out|:\/\//)
        }
      } catch (error) {
        if (!(error instanceof ConversionFailed)) throw error
        expect(error.message).toMatch(/^[\w .,:;()×'-]+$/)
      }
    }),
    { numRuns: 500 },
  )
}, 30_000)
