// A paragraph in each of many languages, and the encodings in which people have it on their disks.

export interface Sample {
  language: string
  text: string
  /** Names that iconv and TextDecoder both know. */
  encodings: readonly string[]
}

export const samples: readonly Sample[] = [
  {
    language: 'German',
    text: 'Der Töpfer stellte die Schüsseln über Nacht in den großen Ofen und wartete. Erst am nächsten Morgen öffnete er die Tür, prüfte jedes Gefäß und legte die schönsten für den Markt in München zurück. Die übrigen verschenkte er an Nachbarn, die für Bücher und Käse dankbar waren.',
    encodings: ['windows-1252', 'iso-8859-1'],
  },
  {
    language: 'French',
    text: 'Le potier a laissé refroidir le four pendant la nuit, puis il a ouvert la porte très tôt. Les pièces étaient émaillées d’un bleu léger, et chacune gardait l’empreinte de ses doigts. « Voilà, dit-il, c’est ainsi que l’été commence à l’atelier. »',
    encodings: ['windows-1252'],
  },
  {
    language: 'Polish',
    text: 'Garncarz zostawił naczynia w piecu na całą noc, a rano ostrożnie otworzył drzwi. Każda miska miała gładką, zieloną glazurę i żadna nie pękła. Część sprzedał na targu w Łodzi, resztę podarował sąsiadom, którzy przynieśli mu świeży chleb i jabłka.',
    encodings: ['windows-1250', 'iso-8859-2'],
  },
  {
    language: 'Greek',
    text: 'Ο αγγειοπλάστης άφησε τα πήλινα δοχεία στον φούρνο όλη τη νύχτα και περίμενε. Το πρωί άνοιξε την πόρτα, κοίταξε κάθε αγγείο και κράτησε τα καλύτερα για την αγορά. Τα υπόλοιπα τα χάρισε στους γείτονες που του έφεραν ελιές και ψωμί.',
    encodings: ['windows-1253', 'iso-8859-7'],
  },
  {
    language: 'Russian',
    text: 'Гончар оставил посуду в печи на всю ночь и ждал до утра. На рассвете он открыл дверцу, осмотрел каждую чашу и отложил самые красивые для ярмарки. Остальные он подарил соседям, которые принесли ему хлеб, мёд и свежие яблоки из своего сада.',
    encodings: ['windows-1251', 'koi8-r', 'iso-8859-5'],
  },
  {
    language: 'Hebrew',
    text: 'הקדר השאיר את הכלים בתנור כל הלילה וחיכה בסבלנות. בבוקר פתח את הדלת, בדק כל קערה ושמר את היפות ביותר לשוק. את השאר נתן לשכנים שהביאו לו לחם טרי, זיתים ודבש מן הכוורת שלהם.',
    encodings: ['windows-1255'],
  },
  {
    language: 'Arabic',
    text: 'ترك الخزاف الأواني في الفرن طوال الليل وانتظر حتى الصباح. ثم فتح الباب وفحص كل إناء واحتفظ بأجملها للسوق الكبير. أما الباقي فقد أهداه إلى الجيران الذين أحضروا له الخبز والزيتون والعسل.',
    encodings: ['windows-1256'],
  },
  {
    language: 'Hindi',
    text: 'कुम्हार ने बर्तनों को रात भर भट्ठी में छोड़ दिया और सुबह तक प्रतीक्षा की। फिर उसने दरवाज़ा खोला, हर कटोरे को ध्यान से देखा और सबसे सुंदर बर्तन बाज़ार के लिए अलग रख दिए।',
    encodings: [],
  },
  {
    language: 'Thai',
    text: 'ช่างปั้นหม้อทิ้งภาชนะไว้ในเตาเผาตลอดทั้งคืนแล้วรอจนถึงเช้า จากนั้นเขาเปิดประตู ตรวจดูชามทุกใบ และเก็บใบที่สวยที่สุดไว้ขายที่ตลาด',
    encodings: [],
  },
  {
    language: 'Vietnamese',
    text: 'Người thợ gốm để những chiếc bát trong lò suốt đêm và chờ đến sáng. Sau đó ông mở cửa, xem xét từng chiếc và giữ lại những chiếc đẹp nhất cho phiên chợ ngày mai ở Đà Nẵng.',
    encodings: [],
  },
  {
    language: 'Chinese, simplified',
    text: '陶工把碗和盘子放在窑里过了一夜，一直等到天亮。早晨他打开窑门，仔细看了每一件器物，把最漂亮的留下来拿到集市上去卖。剩下的他送给了邻居，邻居给他带来了新鲜的面包和苹果。',
    encodings: ['gb18030', 'gbk'],
  },
  {
    language: 'Chinese, traditional',
    text: '陶工把碗和盤子放在窯裡過了一夜，一直等到天亮。早晨他打開窯門，仔細看了每一件器物，把最漂亮的留下來拿到市集上去賣。剩下的他送給了鄰居，鄰居給他帶來了新鮮的麵包和蘋果。',
    encodings: ['big5'],
  },
  {
    language: 'Japanese',
    text: '陶芸家は器を一晩窯に入れたまま、朝まで静かに待った。夜が明けると扉を開け、一つ一つの茶碗を確かめて、いちばん美しいものを市場のために取っておいた。残りは隣の人たちに贈った。',
    encodings: ['shift_jis', 'euc-jp'],
  },
  {
    language: 'Korean',
    text: '도공은 그릇을 밤새 가마에 넣어 두고 아침까지 기다렸다. 날이 밝자 문을 열고 그릇을 하나하나 살펴본 뒤 가장 아름다운 것을 장터에 내놓으려고 따로 두었다. 나머지는 이웃들에게 나누어 주었다.',
    encodings: ['euc-kr'],
  },
  {
    language: 'emoji',
    text: 'The kiln 🔥 was hot, the bowls 🍜🥣 were done, and the family 👩‍👩‍👧‍👦 from 🇫🇷 took them home 🏠.',
    encodings: [],
  },
]

/** What a text says, without what converters may change: spaces, line ends, quotes and dashes. */
export const saying = (text: string): string =>
  text.normalize('NFC').replaceAll(/[\s\u200B'"‘’“”«»„–—-]+/g, '')
