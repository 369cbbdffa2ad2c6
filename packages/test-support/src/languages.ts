import { execFileSync } from 'node:child_process'

// A paragraph in each of 30 languages, and the legacy encodings in which texts of that language exist.

export interface Sample {
  language: string
  text: string
  /** Names that iconv and TextDecoder both accept. */
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
    encodings: ['windows-874'],
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
    encodings: ['shift_jis', 'euc-jp', 'iso-2022-jp'],
  },
  {
    language: 'Korean',
    text: '도공은 그릇을 밤새 가마에 넣어 두고 아침까지 기다렸다. 날이 밝자 문을 열고 그릇을 하나하나 살펴본 뒤 가장 아름다운 것을 장터에 내놓으려고 따로 두었다. 나머지는 이웃들에게 나누어 주었다.',
    encodings: ['euc-kr'],
  },
  {
    language: 'Spanish',
    text: 'El alfarero dejó las vasijas en el horno toda la noche y esperó hasta la mañana. Después abrió la puerta, examinó cada cuenco con atención y guardó los más bonitos para la feria de Cádiz. ¿Y los demás? Los regaló a los niños del barrio, que le trajeron pan, higos y una jarra de añejo.',
    encodings: ['windows-1252', 'iso-8859-15'],
  },
  {
    language: 'Portuguese',
    text: 'O oleiro deixou as tigelas no forno durante a noite e esperou até de manhã. Depois abriu a porta, observou cada peça com atenção e guardou as mais bonitas para a feira de São João. As outras ofereceu aos vizinhos, que lhe trouxeram pão, maçãs e um pouco de mel das suas colmeias.',
    encodings: ['windows-1252', 'iso-8859-1'],
  },
  {
    language: 'Italian',
    text: 'Il vasaio lasciò le ciotole nel forno per tutta la notte e aspettò il mattino. Poi aprì lo sportello, guardò ogni pezzo con attenzione e mise da parte i più belli per il mercato della città. Gli altri li regalò ai vicini, perché gli avevano portato pane fresco, olive e un po’ di caffè.',
    encodings: ['windows-1252'],
  },
  {
    language: 'Dutch',
    text: 'De pottenbakker liet de schalen de hele nacht in de oven staan en wachtte tot de ochtend. Toen deed hij de deur open, bekeek elk stuk één voor één en legde de mooiste apart voor de markt. De rest gaf hij aan buren, die hem brood, kaas en geïmporteerde appels uit België brachten.',
    encodings: ['windows-1252'],
  },
  {
    language: 'Swedish',
    text: 'Krukmakaren lät skålarna stå i ugnen hela natten och väntade till morgonen. Sedan öppnade han luckan, såg på varje föremål och lade undan de vackraste för marknaden på ön. De övriga gav han till grannarna, som hade med sig bröd, äpplen och en bit ost från gården.',
    encodings: ['windows-1252', 'iso-8859-1'],
  },
  {
    language: 'Finnish',
    text: 'Savenvalaja jätti kulhot uuniin koko yöksi ja odotti aamuun saakka. Sitten hän avasi luukun, katsoi jokaista astiaa ja pani syrjään kauneimmat torille vietäviksi. Loput hän lahjoitti naapureille, jotka toivat hänelle leipää, hyvää hunajaa ja omenoita pihapuistaan.',
    encodings: ['windows-1252', 'iso-8859-15'],
  },
  {
    language: 'Czech',
    text: 'Hrnčíř nechal misky v peci celou noc a čekal až do rána. Pak otevřel dvířka, prohlédl si každý kus a nejkrásnější odložil na trh v Příbrami. Zbytek rozdal sousedům, kteří mu za to přinesli čerstvý chléb, žluté švestky a sklenici medu z vlastních úlů.',
    encodings: ['windows-1250', 'iso-8859-2'],
  },
  {
    language: 'Hungarian',
    text: 'A fazekas egész éjszakára a kemencében hagyta az edényeket, és reggelig várt. Azután kinyitotta az ajtót, minden tálat megnézett, és a legszebbeket félretette a győri vásárra. A többit a szomszédoknak ajándékozta, akik friss kenyeret, őszibarackot és tűzifát hoztak neki.',
    encodings: ['windows-1250', 'iso-8859-2'],
  },
  {
    language: 'Croatian',
    text: 'Lončar je ostavio zdjele u peći cijelu noć i čekao do jutra. Zatim je otvorio vrata, pregledao svaki komad i najljepše odvojio za sajam u Đakovu. Ostalo je poklonio susjedima koji su mu donijeli svježi kruh, šljive i žuti med iz svojih košnica.',
    encodings: ['windows-1250', 'iso-8859-2'],
  },
  {
    language: 'Turkish',
    text: 'Çömlekçi kapları bütün gece fırında bıraktı ve sabaha kadar bekledi. Sonra kapıyı açtı, her çanağı dikkatle inceledi ve en güzellerini pazar için ayırdı. Geri kalanını, ona taze ekmek, şeftali ve ılık süt getiren komşularına armağan etti; bütün mahalle buna çok sevindi.',
    encodings: ['windows-1254', 'iso-8859-9'],
  },
  {
    language: 'Ukrainian',
    text: 'Гончар залишив посуд у печі на всю ніч і чекав до ранку. На світанку він відчинив дверцята, оглянув кожну миску й відклав найкрасивіші для ярмарку в Києві. Решту він подарував сусідам, які принесли йому хліб, мед і свіжі яблука зі свого саду; її ґанок був поруч.',
    encodings: ['windows-1251', 'koi8-u'],
  },
  {
    language: 'Bulgarian',
    text: 'Грънчарят остави съдовете в пещта през цялата нощ и чака до сутринта. После отвори вратата, разгледа всяка купа и отдели най-хубавите за пазара в Търново. Останалите подари на съседите, които му донесоха пресен хляб, мед и ябълки от своята градина.',
    encodings: ['windows-1251'],
  },
  {
    language: 'Lithuanian',
    text: 'Puodžius paliko indus krosnyje visą naktį ir laukė iki ryto. Tada atidarė dureles, apžiūrėjo kiekvieną dubenį ir gražiausius atidėjo Kaziuko mugei. Kitus padovanojo kaimynams, kurie jam atnešė šviežios duonos, medaus ir obuolių iš savo sodo; visi džiaugėsi ąžuolo pavėsyje.',
    encodings: ['windows-1257', 'iso-8859-13'],
  },
  {
    language: 'Estonian',
    text: 'Pottsepp jättis kausid kogu ööks ahju ja ootas hommikuni. Siis avas ta ukse, vaatas iga nõu üle ja pani kõige ilusamad laada jaoks kõrvale. Ülejäänud kinkis ta naabritele, kes tõid talle värsket leiba, õunu ja mett oma tarudest; kõik olid rõõmsad.',
    encodings: ['windows-1257'],
  },
  {
    language: 'Indonesian',
    text: 'Tukang tembikar meninggalkan mangkuk-mangkuk itu di dalam tungku sepanjang malam dan menunggu sampai pagi. Lalu ia membuka pintu, memeriksa setiap mangkuk, dan menyimpan yang paling indah untuk dijual di pasar. Sisanya ia berikan kepada para tetangga yang membawakan roti dan madu.',
    encodings: ['windows-1252'],
  },
  {
    language: 'Romanian',
    text: 'Olarul a lăsat străchinile în cuptor toată noaptea şi a aşteptat până dimineaţa. Apoi a deschis uşa, a privit fiecare vas şi le-a păstrat pe cele mai frumoase pentru târgul din Braşov. Pe celelalte le-a dăruit vecinilor, care i-au adus pâine proaspătă, mere şi miere.',
    encodings: ['windows-1250', 'iso-8859-2'],
  },
  {
    language: 'emoji',
    text: 'The kiln 🔥 was hot, the bowls 🍜🥣 were done, and the family 👩‍👩‍👧‍👦 from 🇫🇷 took them home 🏠.',
    encodings: [],
  },
]

/** The text in a legacy encoding or in UTF-16; quotation marks that the encoding lacks become simpler ones. */
export const encode = (text: string, encoding: string): Buffer =>
  execFileSync('iconv', ['-f', 'utf-8', '-t', `${encoding}//TRANSLIT`], { input: text })

/** The text without characters that converters may change: spaces, line ends, quotes and dashes. */
export const saying = (text: string): string =>
  text.normalize('NFC').replaceAll(/[\s\u200B'"‘’“”«»„–—-]+/g, '')
