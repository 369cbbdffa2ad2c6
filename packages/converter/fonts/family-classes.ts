// Word replaces a font that is missing by one of its class: Times New Roman, Arial or Courier New. LibreOffice does not
// know the class and takes a wide serif face for all of them. The class follows from words in the family's name, or is
// listed here for families that are common in documents. A later class wins: "Sans Serif" is sans, "Sans Mono" is mono.

const serif = [
  'Serif',
  'Roman',
  'Antiqua',
  'Slab',
  'Baskerville',
  'Bitter',
  'Bodoni',
  'Caslon',
  'Charter',
  'Cormorant',
  'Crimson',
  'Didot',
  'Garamond',
  'Goudy',
  'Hoefler',
  'Lora',
  'Merriweather',
  'Minion',
  'Playfair',
  'Sabon',
  'Spectral',
  'Times',
  'Utopia',
  'Vollkorn',
]

const sans = [
  'Sans',
  'Grotesk',
  'Grotesque',
  'Avenir',
  'Barlow',
  'Brandon',
  'Circular',
  'Dosis',
  'Exo',
  'Figtree',
  'Franklin Gothic',
  'Frutiger',
  'Futura',
  'Gotham',
  'Helvetica',
  'Inter',
  'Karla',
  'Lexend',
  'Manrope',
  'Montserrat',
  'Mulish',
  'Museo',
  'Myriad',
  'News Gothic',
  'Nunito',
  'Optima',
  'Oswald',
  'Outfit',
  'Poppins',
  'Proxima',
  'Quicksand',
  'Raleway',
  'Roboto',
  'Rubik',
  'Titillium',
  'Trade Gothic',
  'Ubuntu',
  'Univers',
]

const mono = ['Mono', 'Code', 'Courier', 'Console', 'Typewriter', 'Fixed', 'Inconsolata', 'Menlo', 'Monaco']

export const familyClasses: readonly { words: readonly string[]; family: string }[] = [
  { words: serif, family: 'Liberation Serif' },
  { words: sans, family: 'Liberation Sans' },
  { words: mono, family: 'Liberation Mono' },
]

/** The family that replaces a missing font of this name; undefined where the name says nothing of its class. */
export function familyOfClass(name: string): string | undefined {
  const wanted = name.toLowerCase()
  const contains = (word: string) => wanted.includes(word.toLowerCase())
  return familyClasses.findLast(({ words }) => words.some(contains))?.family
}
