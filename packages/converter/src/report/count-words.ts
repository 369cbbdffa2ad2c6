// Words as word processors count them: tokens between spaces that contain a letter or a digit; in scripts
// that put no spaces between words, every character.
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}](?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])\S)*/gu

export function countWords(text: string): number {
  let count = 0
  for (const _ of text.matchAll(word)) count += 1
  return count
}
