const overlaps = [
  [0, 'ends at once'],
  [3600, 'works for another hour'],
  [86_400, 'works for another day'],
  [7 * 86_400, 'works for another week'],
] as const

export const usualOverlap = 86_400

export interface OverlapProps {
  /** Its words up to the choice. */
  sentence: string
  value: number
  onChange: (seconds: number) => void
}

/** How long the replaced key or secret remains valid. */
export function Overlap({ sentence, value, onChange }: OverlapProps) {
  return (
    <label>
      {sentence}
      <select value={value} onChange={(event) => onChange(Number(event.currentTarget.value))}>
        {overlaps.map(([seconds, text]) => (
          <option key={seconds} value={seconds}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
