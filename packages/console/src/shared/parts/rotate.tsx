import { useState } from 'preact/hooks'
import { Confirm } from './dialog.tsx'

const overlaps = [
  [0, 'ends at once'],
  [3600, 'works for another hour'],
  [86_400, 'works for another day'],
  [7 * 86_400, 'works for another week'],
] as const

const usualOverlap = 86_400

export interface RotateProps {
  title: string
  /** Up to the choice of the time for which the replaced key or secret remains valid. */
  sentence: string
  onRotate: (overlapSeconds: number) => Promise<void>
  onClose: () => void
}

/** Replaces a key or a secret by a new one. */
export function Rotate({ title, sentence, onRotate, onClose }: RotateProps) {
  const [overlapSeconds, setOverlap] = useState(usualOverlap)
  const choice = (
    <label>
      {sentence}
      <select value={overlapSeconds} onChange={(event) => setOverlap(Number(event.currentTarget.value))}>
        {overlaps.map(([seconds, text]) => (
          <option key={seconds} value={seconds}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
  return (
    <Confirm
      title={title}
      text={choice}
      action="Rotate"
      onConfirm={() => onRotate(overlapSeconds)}
      onClose={onClose}
    />
  )
}
