// The words of invoices, forms and price lists, by language.

export interface BusinessWords {
  invoice: string
  /** Number, date, due, customer. */
  meta: readonly [string, string, string, string]
  /** Position, description, quantity, price, amount. */
  heads: readonly [string, string, string, string, string]
  /** Net, tax, total. */
  sums: readonly [string, string, string]
  from: string
  to: string
  seller: readonly string[]
  buyer: readonly string[]
  goods: readonly string[]
  detail: string
  terms: string
  /** Columns at the foot of the page. */
  foot: readonly (readonly string[])[]
  /** Labels and values of a form. */
  fields: readonly (readonly [string, string])[]
  money: (cents: number) => string
}

const grouped = (cents: number, thousands: string, decimal: string): string => {
  const [whole = '', rest = ''] = (cents / 100).toFixed(2).split('.')
  return `${whole.replace(/\B(?=(\d{3})+$)/g, thousands)}${decimal}${rest}`
}

export const businessWords: Readonly<Record<string, BusinessWords>> = {
  en: {
    invoice: 'Invoice',
    meta: ['Invoice no.', 'Date', 'Due date', 'Customer no.'],
    heads: ['No.', 'Description', 'Qty', 'Unit price', 'Amount'],
    sums: ['Subtotal', 'Sales tax 7 %', 'Total'],
    from: 'From',
    to: 'Bill to',
    seller: ['Northfield Pottery Ltd', '14 Canal Street', 'Leeds LS1 4AP', 'Phone 0113 496 0182'],
    buyer: ['Harbour Tea Rooms', 'Ms Olive Grant', '3 Quay Road', 'Whitby YO21 3PU'],
    goods: [
      'Stoneware bowl',
      'Teapot with lid',
      'Serving plate, oval',
      'Cup and saucer',
      'Glaze repair',
      'Delivery',
    ],
    detail: 'speckled grey, dishwasher safe',
    terms:
      'Please pay within fourteen days without deduction. Goods remain our property until they are paid for in full.',
    foot: [
      ['Northfield Pottery Ltd', 'Company no. 0482213', 'VAT GB 213 4455 12'],
      ['Bank of the North', 'Sort code 20-11-43', 'Account 3344 1290'],
      ['orders@northfield.example', 'www.northfield.example', 'Open Monday to Friday'],
    ],
    fields: [
      ['Family name', 'Grant'],
      ['First name', 'Olive'],
      ['Date of birth', '14 March 1981'],
      ['Nationality', 'British'],
      ['Street and number', '3 Quay Road'],
      ['Town', 'Whitby'],
      ['Postcode', 'YO21 3PU'],
      ['Telephone', '01947 496 011'],
    ],
    money: (c) => `$${grouped(c, ',', '.')}`,
  },
  de: {
    invoice: 'Rechnung',
    meta: ['Rechnungsnr.', 'Rechnungsdatum', 'Zahlbar bis', 'Kundennr.'],
    heads: ['Pos.', 'Bezeichnung', 'Menge', 'Einzelpreis', 'Betrag'],
    sums: ['Nettobetrag', 'MwSt. 19 %', 'Gesamtbetrag'],
    from: 'Absender',
    to: 'Empfänger',
    seller: ['Töpferei Nordfeld GmbH', 'Kanalstraße 14', '24103 Kiel', 'Telefon 0431 5550182'],
    buyer: ['Teestube am Hafen', 'Frau Olivia Groß', 'Am Kai 3', '23966 Wismar'],
    goods: [
      'Schale aus Steinzeug',
      'Teekanne mit Deckel',
      'Servierplatte, oval',
      'Tasse mit Untertasse',
      'Ausbesserung der Glasur',
      'Versand',
    ],
    detail: 'grau gesprenkelt, spülmaschinenfest',
    terms:
      'Bitte zahlen Sie innerhalb von vierzehn Tagen ohne Abzug. Die Ware bleibt bis zur vollständigen Bezahlung unser Eigentum.',
    foot: [
      ['Töpferei Nordfeld GmbH', 'HRB 48221 Kiel', 'USt-IdNr. DE213445512'],
      ['Sparkasse Kiel', 'IBAN DE02 2105 0170 0012 3456 78', 'BIC NOLADE21KIE'],
      ['post@nordfeld.example', 'www.nordfeld.example', 'Geschäftsführerin Ada Holm'],
    ],
    fields: [
      ['Familienname', 'Groß'],
      ['Vorname', 'Olivia'],
      ['Geburtsdatum', '14. März 1981'],
      ['Staatsangehörigkeit', 'deutsch'],
      ['Straße und Hausnummer', 'Am Kai 3'],
      ['Ort', 'Wismar'],
      ['Postleitzahl', '23966'],
      ['Telefon', '03841 555011'],
    ],
    money: (c) => `${grouped(c, '.', ',')}\u00a0€`,
  },
  fr: {
    invoice: 'Facture',
    meta: ['Facture n°', 'Date', 'Échéance', 'N° client'],
    heads: ['Réf.', 'Désignation', 'Qté', 'Prix unitaire', 'Montant'],
    sums: ['Total HT', 'TVA 20 %', 'Total TTC'],
    from: 'Émetteur',
    to: 'Adressé à',
    seller: ['Poterie du Nord SARL', '14 rue du Canal', '59000 Lille', 'Tél. 03 20 55 01 82'],
    buyer: ['Salon de thé du Port', 'Mme Olive Grandet', '3 quai Vauban', '62200 Boulogne-sur-Mer'],
    goods: [
      'Bol en grès',
      'Théière avec couvercle',
      'Plat de service ovale',
      'Tasse et soucoupe',
      'Réparation de glaçure',
      'Livraison',
    ],
    detail: 'gris moucheté, compatible lave-vaisselle',
    terms:
      'Règlement sous quatorze jours sans escompte. La marchandise reste notre propriété jusqu’au paiement intégral.',
    foot: [
      ['Poterie du Nord SARL', 'RCS Lille 482 213 445', 'TVA FR48482213445'],
      ['Banque du Nord', 'IBAN FR76 3000 4000 0312 3456 7890', 'BIC BNPAFRPP'],
      ['contact@poterie.example', 'www.poterie.example', 'Ouvert du lundi au vendredi'],
    ],
    fields: [
      ['Nom de famille', 'Grandet'],
      ['Prénom', 'Olive'],
      ['Date de naissance', '14 mars 1981'],
      ['Nationalité', 'française'],
      ['Rue et numéro', '3 quai Vauban'],
      ['Commune', 'Boulogne'],
      ['Code postal', '62200'],
      ['Téléphone', '03 21 55 00 11'],
    ],
    money: (c) => `${grouped(c, '\u00a0', ',')}\u00a0€`,
  },
  pl: {
    invoice: 'Faktura VAT',
    meta: ['Faktura nr', 'Data wystawienia', 'Termin płatności', 'Nr klienta'],
    heads: ['Lp.', 'Nazwa towaru', 'Ilość', 'Cena netto', 'Wartość'],
    sums: ['Razem netto', 'VAT 23 %', 'Do zapłaty'],
    from: 'Sprzedawca',
    to: 'Nabywca',
    seller: ['Garncarnia Północ sp. z o.o.', 'ul. Kanałowa 14', '80-001 Gdańsk', 'tel. 58 555 01 82'],
    buyer: ['Herbaciarnia Portowa', 'Pani Oliwia Głąb', 'ul. Nabrzeżna 3', '81-345 Gdynia'],
    goods: [
      'Miska kamionkowa',
      'Czajnik z pokrywką',
      'Półmisek owalny',
      'Filiżanka ze spodkiem',
      'Naprawa szkliwa',
      'Dostawa',
    ],
    detail: 'szara nakrapiana, do zmywarki',
    terms:
      'Prosimy o zapłatę w ciągu czternastu dni bez potrąceń. Towar pozostaje naszą własnością do pełnej zapłaty.',
    foot: [
      ['Garncarnia Północ', 'KRS 0000482213', 'NIP 584-213-44-55'],
      ['Bank Północny', 'PL61 1090 1014 0000 0712', 'SWIFT WBKPPLPP'],
      ['biuro@polnoc.example', 'www.polnoc.example', 'Czynne od poniedziałku'],
    ],
    fields: [
      ['Nazwisko', 'Głąb'],
      ['Imię', 'Oliwia'],
      ['Data urodzenia', '14 marca 1981'],
      ['Obywatelstwo', 'polskie'],
      ['Ulica i numer', 'Nabrzeżna 3'],
      ['Miejscowość', 'Gdynia'],
      ['Kod pocztowy', '81-345'],
      ['Telefon', '58 555 00 11'],
    ],
    money: (c) => `${grouped(c, '\u00a0', ',')}\u00a0zł`,
  },
  ru: {
    invoice: 'Счёт на оплату',
    meta: ['Счёт №', 'Дата', 'Оплатить до', 'Клиент №'],
    heads: ['№', 'Наименование', 'Кол-во', 'Цена', 'Сумма'],
    sums: ['Итого', 'НДС 20 %', 'Всего к оплате'],
    from: 'Поставщик',
    to: 'Покупатель',
    seller: ['ООО «Северная керамика»', 'ул. Канальная, 14', '190000 Санкт-Петербург', 'тел. 812 555-01-82'],
    buyer: ['Чайная «Гавань»', 'Оливия Громова', 'Портовая наб., 3', '183038 Мурманск'],
    goods: [
      'Миска керамическая',
      'Чайник с крышкой',
      'Блюдо овальное',
      'Чашка с блюдцем',
      'Ремонт глазури',
      'Доставка',
    ],
    detail: 'серая в крапинку, можно мыть в машине',
    terms:
      'Просим оплатить счёт в течение четырнадцати дней. Товар остаётся нашей собственностью до полной оплаты.',
    foot: [
      ['ООО «Северная керамика»', 'ОГРН 1027800482213', 'ИНН 7802134455'],
      ['Северный банк', 'БИК 044030653', 'Счёт 40702810500000012345'],
      ['zakaz@sever.example', 'www.sever.example', 'Работаем с понедельника'],
    ],
    fields: [
      ['Фамилия', 'Громова'],
      ['Имя', 'Оливия'],
      ['Дата рождения', '14 марта 1981'],
      ['Гражданство', 'российское'],
      ['Улица и дом', 'Портовая, 3'],
      ['Город', 'Мурманск'],
      ['Индекс', '183038'],
      ['Телефон', '8152 55-00-11'],
    ],
    money: (c) => `${grouped(c, '\u00a0', ',')}\u00a0руб.`,
  },
  ja: {
    invoice: '請求書',
    meta: ['請求番号', '発行日', '支払期限', '顧客番号'],
    heads: ['番号', '品名', '数量', '単価', '金額'],
    sums: ['小計', '消費税 10%', '合計'],
    from: '請求元',
    to: '請求先',
    seller: ['北野陶器株式会社', '札幌市中央区運河町14', '〒060-0001', '電話 011-555-0182'],
    buyer: ['港の喫茶店', '大森 陽子 様', '小樽市波止場3', '〒047-0007'],
    goods: ['炻器の鉢', '蓋付き急須', '楕円の大皿', '茶碗と受け皿', '釉薬の補修', '配送料'],
    detail: '灰色の斑点、食洗機対応',
    terms: '十四日以内にお支払いください。全額のお支払いまで商品の所有権は当社にあります。',
    foot: [
      ['北野陶器株式会社', '法人番号 4300010482213', '登録番号 T4300010'],
      ['北海銀行 本店', '普通預金 3344129', '名義 キタノトウキ'],
      ['order@kitano.example', 'www.kitano.example', '平日のみ営業'],
    ],
    fields: [
      ['姓', '大森'],
      ['名', '陽子'],
      ['生年月日', '1981年3月14日'],
      ['国籍', '日本'],
      ['住所', '波止場3'],
      ['市区町村', '小樽市'],
      ['郵便番号', '047-0007'],
      ['電話番号', '0134-555-011'],
    ],
    money: (c) => `¥${grouped(c, ',', '.').replace(/\.\d\d$/, '')}`,
  },
}
