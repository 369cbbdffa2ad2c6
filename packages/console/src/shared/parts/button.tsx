import type { ComponentProps } from 'preact'

export interface ButtonProps extends ComponentProps<'button'> {
  text: string
  /** Further words of its name, which only screen readers read. */
  hiddenText?: string
  /** `quiet` is not the main action of its place; `danger` cannot be undone. */
  kind?: 'small' | 'quiet' | 'quiet small' | 'danger' | 'danger small'
}

export const Button = ({ text, hiddenText, kind, ...rest }: ButtonProps) => (
  <button type="button" class={kind ? `button ${kind}` : 'button'} {...rest}>
    {text}
    {hiddenText ? <span class="hidden-text"> {hiddenText}</span> : null}
  </button>
)
