import { expect, it } from 'vitest'
import { translateBack, translatePaths } from './path-translation.ts'

const places = [
  { inside: '/in', outside: '/var/jobs/7/in' },
  { inside: '/out', outside: '/var/jobs/7/out' },
  { inside: '/kiln/style.css', outside: '/opt/kiln/style.css' },
]

it.each([
  ['/in/input.md', '/var/jobs/7/in/input.md'],
  ['/out', '/var/jobs/7/out'],
  ['--output=/out/a', '--output=/var/jobs/7/out/a'],
  ['-env:UserInstallation=file:///out/profile', '-env:UserInstallation=file:///var/jobs/7/out/profile'],
  ['/kiln/style.css', '/opt/kiln/style.css'],
  ['/in:/out', '/var/jobs/7/in:/var/jobs/7/out'],
])('translates %s', (inside, outside) => {
  expect(translatePaths(inside, places)).toBe(outside)
})

it.each(['/input', '/usr/in/x', 'a/in/b', '/outer/out-of-place', 'in/out'])('leaves %s alone', (text) => {
  expect(translatePaths(text, places)).toBe(text)
})

it('takes host paths out of what a program says', () => {
  expect(translateBack('cannot open /var/jobs/7/in/x and /opt/kiln/style.css', places)).toBe(
    'cannot open /in/x and /kiln/style.css',
  )
})
