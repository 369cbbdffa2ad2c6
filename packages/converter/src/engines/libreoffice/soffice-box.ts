import { totalmem } from 'node:os'
import type { SandboxSpec } from '../../sandbox/sandbox.ts'
import type { Fonts } from '../fonts.ts'

const mebibyte = 1024 * 1024

// A real letter takes a second; a real report of 340 pages with a hundred embedded charts took 40 seconds of
// CPU and 2.2 GB. The wall clock leaves room for a busy machine.
export const officeWallSeconds = 420
const cpuSeconds = 240
const memoryBytes = Math.floor(Math.min(4096 * mebibyte, Math.max(2048 * mebibyte, totalmem() / 2)))

export const soffice = '/usr/lib/libreoffice/program/soffice.bin'

/** The box that LibreOffice runs in; arguments and folders are the caller's. */
export function sofficeBox(
  { places }: Fonts,
  { wallSeconds = officeWallSeconds }: { wallSeconds?: number } = {},
): Omit<SandboxSpec, 'inFolder' | 'outFolder'> & { readOnly: NonNullable<SandboxSpec['readOnly']> } {
  return {
    // A shell, for one fixed script that copies the profile; nothing from a user is ever in its text.
    program: '/bin/sh',
    args: [],
    readOnly: [
      ...places,
      // Debian keeps LibreOffice's main registry here.
      { from: '/etc/libreoffice', to: '/etc/libreoffice', optional: true },
      { from: '/var/lib/libreoffice', to: '/var/lib/libreoffice', optional: true },
      // LibreOffice does without it, but ends when it exists and cannot be read, as at a level without mounts.
      { from: '/var/spool/libreoffice', to: '/var/spool/libreoffice', optional: true },
    ],
    // It looks for its own program in /proc, and does not start without it.
    proc: true,
    limits: {
      wallSeconds,
      cpuSeconds,
      memoryBytes,
      processes: 64,
      fileBytes: 512 * mebibyte,
      diskBytes: 768 * mebibyte,
      logBytes: 64 * 1024,
    },
  }
}
