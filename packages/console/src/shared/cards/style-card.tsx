import { send, upload } from '../api.ts'
import * as format from '../format.ts'
import { Button } from '../parts/button.tsx'
import { Card, Fault } from '../parts/card.tsx'
import type { StylePage } from '../types.ts'
import { useAction } from '../use-action.ts'
import { useData } from '../use-data.ts'
import type { AccountCardProps } from './ledger-card.tsx'

type Part = 'css' | 'reference'

/** The house style of the account: a style sheet and a reference document. */
export function StyleCard({ accountPath }: Pick<AccountCardProps, 'accountPath'>) {
  const path = `${accountPath}/style`
  const { data, error, reload } = useData<StylePage>(path, 10_000)
  const { run, fault } = useAction()
  const style = data?.style ?? null
  const choose = (part: Part, input: HTMLInputElement) => {
    const file = input.files?.[0]
    if (file) void run(() => upload(`${path}/${part}`, file).then(reload))
    // The same file may be chosen again.
    input.value = ''
  }
  const field = (part: Part, label: string, accept: string, bytes: number | null) => (
    <div>
      <label>
        {label}
        <input
          type="file"
          accept={accept}
          onChange={({ currentTarget }) => choose(part, currentTarget as HTMLInputElement)}
        />
      </label>
      {bytes === null ? (
        <p class="muted small">None is set.</p>
      ) : (
        <p class="small">
          {format.bytes(bytes)} set.{' '}
          <Button
            kind="danger small"
            text="Remove"
            hiddenText={label}
            onClick={() => run(() => send(`${path}/remove`, { part }).then(reload))}
          />
        </p>
      )}
    </div>
  )
  return (
    <Card title="House style" class="wide">
      <Fault text={fault ?? error} />
      {data ? (
        <div class="stack">
          {field('css', 'Style sheet', '.css', style?.css ? new Blob([style.css]).size : null)}
          {field('reference', 'Reference document', '.docx', style?.referenceBytes ?? null)}
          <p class="muted small">
            New Word documents take their styles from the reference document; HTML, EPUB and PDF made from
            text use the style sheet. It applies to jobs that start from now on.
          </p>
        </div>
      ) : null}
    </Card>
  )
}
