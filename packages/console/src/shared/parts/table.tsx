import type { ComponentChildren } from 'preact'
import type { Pages } from '../use-data.ts'
import { Empty, Fault, Older } from './card.tsx'

/** A column is its name; the prefix # marks a column of numbers, and ! a name that only screen readers read. */
export interface TableProps {
  columns: readonly string[]
  children: ComponentChildren
  /** Long ones scroll by themselves. */
  limited?: boolean
  /** Whether the table is a separate card. */
  card?: boolean
  class?: string
  /** For screen readers. */
  label?: string
}

export function Table({ columns, children, limited = false, card = false, class: name, label }: TableProps) {
  return (
    <ScrollArea class={`scroll ${limited ? 'limited' : ''} ${card ? 'card' : ''}`} label={label ?? 'Table'}>
      <table {...(name ? { class: name } : {})}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" class={column.startsWith('#') ? 'number' : ''}>
                {column.startsWith('!') ? (
                  <span class="hidden-text">{column.slice(1)}</span>
                ) : (
                  column.replace('#', '')
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </ScrollArea>
  )
}

export interface PagedTableProps<Item> extends Omit<TableProps, 'children'> {
  pages: Pages<Item>
  row: (item: Item) => ComponentChildren
  /** Shown when there is no item. */
  empty: ComponentChildren
  /** Text of the button for older items. */
  older: string
}

/** A table of a list that is loaded page by page. */
export function PagedTable<Item>({ pages, row, empty, older, ...table }: PagedTableProps<Item>) {
  const { items, error, loadOlder } = pages
  return (
    <>
      <Fault text={error} />
      {items?.length === 0 ? <Empty>{empty}</Empty> : <Table {...table}>{items?.map(row)}</Table>}
      <Older load={loadOlder} text={older} />
    </>
  )
}

/** A region that scrolls. It can be focused, so that the arrow keys scroll it. */
export const ScrollArea = (props: { class: string; label: string; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without it a keyboard cannot scroll the region.
  <section class={props.class} aria-label={props.label} tabIndex={0}>
    {props.children}
  </section>
)
