import { describe, expect, test } from 'vitest'
import { someClient } from './accounts.ts'
import { expectError } from './expectations.ts'
import { requirement } from './requirements.ts'

const client = someClient()

const refused = (slugs: readonly string[], code: string) => async () => {
  for (const pair of slugs) {
    const answer = await client.submit({ pair, bytes: 10 })
    expect({ pair, ...(answer.body as object) }).toMatchObject({ pair, code })
    expectError(answer, code)
  }
}

const between = (formats: readonly string[]): string[] =>
  formats.flatMap((from) => formats.filter((to) => to !== from).map((to) => `${from}-to-${to}`))

describe('pairs of the browser', () => {
  test(
    `${requirement('client-pair.image-to-image', 'submit.client-pair-400', 'areas.browser-pairs-refused')} image to image`,
    refused(
      [
        ...between(['png', 'jpg', 'webp', 'gif', 'heic', 'avif', 'svg', 'bmp', 'tiff']).filter(
          (slug) => !slug.endsWith('-to-svg'),
        ),
        'cr2-to-jpg',
        'nef-to-png',
        'dng-to-jpg',
        'arw-to-webp',
      ],
      'client-pair',
    ),
  )

  test(
    `${requirement('client-pair.image-and-pdf')} image to PDF and back`,
    refused(
      ['png-to-pdf', 'jpg-to-pdf', 'heic-to-pdf', 'svg-to-pdf', 'pdf-to-png', 'pdf-to-jpg'],
      'client-pair',
    ),
  )

  test(
    `${requirement('client-pair.audio')} audio to audio`,
    refused(between(['mp3', 'wav', 'flac', 'ogg', 'm4a', 'aac', 'opus']), 'client-pair'),
  )

  test(
    `${requirement('client-pair.video-to-audio')} video to audio`,
    refused(['mp4-to-mp3', 'mkv-to-flac', 'mov-to-wav', 'webm-to-ogg', 'avi-to-aac'], 'client-pair'),
  )

  test(
    `${requirement('client-pair.archives')} archive to archive`,
    refused(['zip-to-tar', '7z-to-zip', 'rar-to-zip', 'tar-to-zip'], 'client-pair'),
  )

  test(`${requirement('client-pair.pdf-to-pdf')} PDF to PDF`, refused(['pdf-to-pdf'], 'client-pair'))

  test(`${requirement('submit.client-pair-400', 'client-pair.says-how')} are refused with a pointer to the browser`, async () => {
    const message = async (pair: string) =>
      expectError(await client.submit({ pair, bytes: 10 }), 'client-pair')
    expect(await message('heic-to-jpg')).toMatch(/front page.*convertInBrowser\(file, 'jpg'\)/)
    expect(await message('psd-to-png')).toMatch(/does not convert psd to png yet/)
  })
})

describe('unknown pairs', () => {
  test(
    `${requirement('unknown-pair.the-rest', 'submit.unknown-pair-400')} are distinguished from client pairs`,
    refused(
      ['gif-to-docx', 'mp3-to-mp4', 'docx-to-mp3', 'zip-to-md', 'md-to-md', 'mp3-to-png', 'pdf-to-zip'],
      'unknown-pair',
    ),
  )

  test(
    `${requirement('unknown-pair.the-rest', 'pair.slug-shape')} are all slugs that name no format`,
    refused(
      ['foo-to-bar', 'png-to-foo', 'md', 'md-to-', '-to-html', 'to', 'md-to-html-to-docx', 'md_to_html'],
      'unknown-pair',
    ),
  )

  test(
    `${requirement('pair.slug-shape', 'unknown-pair.the-rest')} include listed ones in another case or with spaces`,
    refused(['MD-to-HTML', 'Md-To-Html', ' md-to-html', 'md-to-html ', 'PNG-to-JPG'], 'unknown-pair'),
  )

  test(
    `${requirement('unknown-pair.the-rest')} include names of object properties`,
    refused(['toString-to-valueOf', '__proto__', 'constructor-to-constructor'], 'unknown-pair'),
  )
})
