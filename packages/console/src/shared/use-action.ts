import { useState } from 'preact/hooks'

export interface Action {
  run(work: () => Promise<unknown>): Promise<void>
  isBusy: boolean
  /** The message of the failure. */
  fault: string | null
}

/** Something that the user starts and that may fail. */
export function useAction(): Action {
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true)
    setFault(null)
    try {
      await work()
    } catch (failure) {
      setFault((failure as Error).message)
    }
    setBusy(false)
  }
  return { run, isBusy, fault }
}

/** Passes the fields of a form on when it is submitted. */
export const onSubmit =
  (use: (fields: FormData, form: HTMLFormElement, button: HTMLElement | null) => unknown) =>
  (event: SubmitEvent): void => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    use(new FormData(form), form, event.submitter)
  }
