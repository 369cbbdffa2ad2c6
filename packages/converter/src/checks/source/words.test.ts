import { expect, test } from 'vitest'
import { wordsIn } from './words.ts'

const frame = 'documentclass article usepackage hyperref fontspec babel polyglossia geometry'

test.each([
  ['Thai', 'ตึกแถวเก่าในย่านเมืองเก่าถูกซ่อมแซมใหม่ทั้งหมดในปีนี้ และเปิดให้ชมทุกวัน '],
  ['Arabic', 'أعيد ترميم البيوت القديمة في المدينة هذا العام وفتحت أبوابها للزوار كل يوم '],
  ['Hebrew', 'הבתים הישנים בעיר שופצו השנה ונפתחו למבקרים בכל יום '],
  ['Hindi', 'शहर के पुराने घरों की इस साल मरम्मत की गई और वे हर दिन खुले हैं '],
])('a text in %s is not judged by the few Latin words in it', (_, sentence) => {
  expect(wordsIn(`${frame} ${sentence.repeat(8)}`)).toEqual([])
})

test.each([
  ['English', 'The old houses of the town were mended this year, and are open every day.', 'houses'],
  ['Russian', 'Старые дома города в этом году отремонтировали и открыли для всех.', 'города'],
  ['Chinese', '城里的老房子今年都修好了，每天开放参观。', '城里的'],
  ['Vietnamese', 'Những ngôi nhà cổ của thành phố đã được sửa chữa trong năm nay.', 'những'],
])('words of a text in %s are compared', (_, sentence, word) => {
  expect(wordsIn(sentence)).toContain(word)
})
