import { SaxesParser } from 'saxes'

export function assertWellFormed(name: string, xml: string): void {
  const parser = new SaxesParser({ xmlns: false })
  parser.on('error', (error) => {
    throw new Error(`${name} is not well formed: ${error.message}`)
  })
  parser.write(xml).close()
}
