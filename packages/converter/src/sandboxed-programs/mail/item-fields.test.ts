import { outlookMail } from '@kiln/test-support/outlook-mail.ts'
import { expect, it } from 'vitest'
import { itemFields } from './item-fields.ts'
import { readMsg } from './read-msg.ts'

const shown = (fields: Parameters<typeof itemFields>[0]) =>
  itemFields(fields).filter(([, value]) => value !== '')

it('a contact, as Outlook saves it', async () => {
  const properties = [
    [0x3a16, 'Potters Ltd'],
    [0x3a17, 'Kiln master'],
    [0x3a08, '+49 30 1234'],
    [0x3a1c, '+49 170 1234'],
  ] as const
  const { headers } = await readMsg(outlookMail({ messageClass: 'IPM.Contact', subject: 'Anna', properties }))
  expect(headers.filter(([, value]) => value !== '')).toEqual(
    expect.arrayContaining([
      ['Title', 'Kiln master'],
      ['Company', 'Potters Ltd'],
      ['Business telephone', '+49 30 1234'],
      ['Mobile telephone', '+49 170 1234'],
    ]),
  )
})

it('an appointment', () => {
  const fields = {
    dataType: 'msg' as const,
    messageClass: 'IPM.Appointment',
    apptStartWhole: 'Wed, 13 Oct 2021 09:30:00 GMT',
    apptEndWhole: 'Wed, 13 Oct 2021 10:00:00 GMT',
    apptLocation: 'Workshop',
  }
  expect(shown(fields)).toEqual([
    ['Start', 'Wed, 13 Oct 2021 09:30:00 GMT'],
    ['End', 'Wed, 13 Oct 2021 10:00:00 GMT'],
    ['Location', 'Workshop'],
  ])
  expect(shown({ ...fields, messageClass: 'IPM.Note' })).toEqual([])
})

it('a task, by the numbers of its properties', () => {
  const property = (lid: string, value: unknown) => ({
    propertyTag: undefined,
    propertySet: '{00062003-0000-0000-C000-000000000046}',
    propertyLid: lid,
    propertyName: undefined,
    value,
  })
  const rawProps = [property('00008101', 1), property('00008102', 0.25), property('0000811f', 'Anna')]
  const fields = { dataType: 'msg', messageClass: 'IPM.Task', rawProps } as Parameters<typeof itemFields>[0]
  expect(shown(fields)).toEqual([
    ['Status', 'In progress'],
    ['Complete', '25 %'],
    ['Owner', 'Anna'],
  ])
})
