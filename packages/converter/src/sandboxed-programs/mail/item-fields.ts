import type { FieldsData } from '@kenjiuno/msgreader'

// Fields of Outlook's items that are not e-mails: appointments, contacts and tasks.

type Header = readonly [label: string, value: string]

const text = (untrusted: unknown): string =>
  typeof untrusted === 'string' || typeof untrusted === 'number' ? String(untrusted) : ''

export function itemFields(fields: FieldsData): Header[] {
  const kind = text(fields.messageClass).toLowerCase()
  if (kind.startsWith('ipm.appointment') || kind.startsWith('ipm.schedule')) return appointment(fields)
  if (kind.startsWith('ipm.contact')) return contact(fields)
  return kind.startsWith('ipm.task') ? task(fields) : []
}

const appointment = (fields: FieldsData): Header[] => [
  ['Start', text(fields.apptStartWhole ?? fields.clipStart)],
  ['End', text(fields.apptEndWhole ?? fields.clipEnd)],
  ['Location', text(fields.apptLocation)],
]

const contact = (fields: FieldsData): Header[] => [
  ['Name', text(fields.name) || text(fields.subject)],
  ['Title', text(fields.title)],
  ['Company', text(fields.companyName)],
  ['Department', text(fields.departmentName)],
  ['E-mail', text(fields.email1EmailAddress)],
  ['Business telephone', text(fields.businessTelephoneNumber)],
  ['Mobile telephone', text(fields.mobileTelephoneNumber)],
  ['Home telephone', text(fields.homeTelephoneNumber)],
  ['Fax', text(fields.businessFaxNumber)],
  ['Address', text(fields.workAddress)],
  ['Web page', text(fields.businessHomePage)],
]

const taskProperties = '{00062003-0000-0000-c000-000000000046}'
const taskStates = ['Not started', 'In progress', 'Complete', 'Waiting', 'Deferred']

/** By their numbers in the property set of tasks ([MS-OXPROPS]). */
function task({ rawProps = [] }: FieldsData): Header[] {
  const read = (lid: number): unknown => {
    const hex = lid.toString(16).padStart(8, '0')
    return rawProps.find(
      ({ propertySet, propertyLid }) =>
        propertySet?.toLowerCase() === taskProperties && propertyLid?.toLowerCase() === hex,
    )?.value
  }
  const complete = Number(read(0x8102))
  return [
    ['Start', text(read(0x8104))],
    ['Due', text(read(0x8105))],
    ['Completed', text(read(0x810f))],
    ['Status', taskStates[Number(read(0x8101))] ?? ''],
    ['Complete', Number.isFinite(complete) ? `${Math.round(complete * 100)} %` : ''],
    ['Owner', text(read(0x811f))],
  ]
}
