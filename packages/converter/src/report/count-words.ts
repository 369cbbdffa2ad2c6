// Words as word processors count them: tokens between spaces that contain a letter or a digit; in scripts
// that put no spaces between words, every character.
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}](?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])\S)*/gu

export const countWords = (text: string): number => (text.match(word) ?? []).length
