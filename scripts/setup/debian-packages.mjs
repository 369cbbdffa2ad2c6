// Every Debian and Ubuntu package that Kiln uses, with the reason. `proof` is a file that exists when the group is
// installed, on any system: with it a start needs no package manager when everything is installed, and on other systems
// it shows what is missing. `ifAvailable` lists packages that not every release has, `notInImage` those
// that the container image does without; `forTests` groups are installed by `npm test` only.

const hyphenation = [
  'bg',
  'ca',
  'cs',
  'da',
  'de',
  'el',
  'en-gb',
  'en-us',
  'es',
  'fr',
  'gl',
  'hr',
  'hu',
  'is',
  'it',
  'lt',
  'lv',
  'nl',
  'no',
  'pl',
  'pt-br',
  'pt-pt',
  'ro',
  'ru',
  'sk',
  'sl',
  'sr',
  'sv',
  'uk',
].map((language) => `hyphen-${language}`)

/** The languages most read on the web and on paper, and every script that more than fifty million people write. */
const recognisedLanguages =
  'ara ben ces chi-sim chi-tra deu ell eng fas fra heb hin ind ita jpn kor nld pol por rus spa swe tha tur ukr vie'
    .split(' ')
    .map((language) => `tesseract-ocr-${language}`)

export const packageGroups = [
  {
    name: 'database',
    reason: 'the private PostgreSQL that holds accounts and jobs',
    proof: ['/usr/lib/postgresql', '/usr/bin/postgres'],
    packages: ['postgresql'],
    // The image has the PostgreSQL of the npm packages.
    notInImage: ['postgresql'],
  },
  {
    name: 'sandbox',
    reason: 'the sandbox around every engine: namespaces, limits, dropping of privileges',
    proof: ['/usr/bin/bwrap'],
    packages: ['bubblewrap', 'util-linux'],
  },
  {
    name: 'pandoc',
    reason: 'interchange of md, html, epub, latex, rst, docx, odt',
    proof: ['/usr/bin/pandoc'],
    packages: ['pandoc'],
  },
  {
    name: 'office',
    reason: 'LibreOffice: office documents to PDF; its kit for the fork server, UNO for the benchmark',
    // Without libreoffice-math, formulas of documents are blank, without a warning.
    proof: ['/usr/lib/libreoffice/program/libsmlo.so'],
    // Not the -nogui packages: the kit loads UI files that they lack.
    packages: [
      'libreoffice-writer',
      'libreoffice-calc',
      'libreoffice-impress',
      'libreoffice-draw',
      'libreoffice-math',
      'libreofficekit-dev',
      // The fork server's allocator.
      'libjemalloc2',
      'python3-uno',
    ],
    // For the compiler and for the benchmark.
    notInImage: ['libreofficekit-dev', 'python3-uno'],
    // Newer is faster and safer; the set-up takes it from the backports where the release itself is older.
    atLeast: { package: 'libreoffice-writer', major: 24 },
  },
  {
    name: 'chromium',
    reason: 'html, and what becomes html first, to PDF',
    proof: ['/usr/bin/chromium-headless-shell'],
    packages: ['chromium-headless-shell'],
    only: 'debian',
    elsewhere:
      'Ubuntu has Chromium as a snap only, which cannot run in the sandbox: pages do not become PDF here',
  },
  {
    name: 'ffmpeg',
    reason: 'video',
    proof: ['/usr/bin/ffmpeg'],
    packages: ['ffmpeg'],
  },
  {
    name: 'poppler',
    reason: 'checks that a PDF opens and has pages',
    proof: ['/usr/bin/pdfinfo'],
    packages: ['poppler-utils'],
  },
  {
    name: 'qpdf',
    reason: 'merges, splits, rotates and encrypts PDFs for the compatibility APIs',
    proof: ['/usr/bin/qpdf'],
    packages: ['qpdf'],
  },
  {
    name: 'PDF/A',
    reason: 'edits the objects (pikepdf) and the fonts (fontTools) of a PDF that becomes PDF/A',
    proof: ['/usr/lib/python3/dist-packages/pikepdf'],
    packages: ['python3-pikepdf', 'python3-fonttools'],
  },
  {
    name: 'text recognition',
    reason: 'reads scanned pages',
    proof: ['/usr/bin/tesseract'],
    packages: ['tesseract-ocr'],
  },
  {
    name: 'TIFF',
    reason: 'wraps the pages of a TIFF as a PDF, for text recognition',
    proof: ['/usr/bin/tiff2pdf'],
    packages: ['libtiff-tools'],
  },
  {
    name: 'languages of text recognition',
    reason:
      'the languages that scanned pages are read in, 63 MB; others are further packages, such as tesseract-ocr-fin',
    proof: ['5', '4.00'].map((version) => `/usr/share/tesseract-ocr/${version}/tessdata/kor.traineddata`),
    packages: recognisedLanguages,
  },
  {
    name: 'fonts',
    reason: 'the widths of the usual office fonts, CJK, emoji: documents keep their pages',
    proof: ['/usr/share/fonts/truetype/crosextra', '/usr/share/fonts/truetype/carlito'],
    packages: [
      'fontconfig',
      'fonts-liberation',
      'fonts-liberation2',
      'fonts-crosextra-carlito',
      'fonts-crosextra-caladea',
      'fonts-dejavu',
      'fonts-noto-core',
      'fonts-noto-cjk',
      'fonts-noto-color-emoji',
    ],
    // Since Debian 13 a part of fonts-liberation.
    ifAvailable: ['fonts-liberation2'],
  },
  {
    name: 'bases of fonts',
    reason: 'fonts from which metric-compatible fonts are built',
    proof: ['/usr/share/fonts/truetype/lato'],
    packages: ['fonts-lato', 'fonts-nanum', 'fonts-open-sans', 'fonts-symbola', 'fonts-urw-base35'],
  },
  {
    name: 'hyphenation',
    reason: 'documents that ask for hyphenation are hyphenated in their language',
    proof: ['/usr/share/hyphen/hyph_de_DE.dic'],
    packages: hyphenation,
  },
  {
    name: 'curl',
    reason: 'the lines that the first start prints',
    proof: ['/usr/bin/curl'],
    packages: ['curl'],
    notInImage: ['curl'],
  },
  {
    name: 'S3 server',
    reason: 'a real S3 server for the storage tests: OpenStack Swift with its S3 interface',
    proof: ['/usr/bin/swift-proxy-server'],
    packages: ['swift-proxy', 'swift-account', 'swift-container', 'swift-object'],
    forTests: true,
  },
  {
    name: 'browser',
    reason: 'the browser in which pages of the service are tested, and to compare with',
    proof: ['/usr/bin/chromium'],
    packages: ['chromium'],
    only: 'debian',
    elsewhere: 'Ubuntu has Chromium as a snap only: tests in a browser do not run here',
    forTests: true,
  },
  {
    name: 'Firefox',
    reason: 'the second browser in which the web app is tested',
    proof: ['/usr/bin/firefox-esr'],
    packages: ['firefox-esr'],
    only: 'debian',
    elsewhere: 'Ubuntu has Firefox as a snap only: tests in Firefox do not run here',
    forTests: true,
  },
  {
    name: 'python-docx',
    reason: 'opens every Word file that the tests make out of a PDF',
    proof: ['/usr/lib/python3/dist-packages/docx'],
    packages: ['python3-docx'],
    forTests: true,
  },
  {
    name: 'Python packaging',
    reason: 'builds the Python client and installs it into an empty environment',
    proof: ['/usr/lib/python3/dist-packages/build'],
    packages: ['python3-build', 'python3-venv', 'python3-setuptools', 'python3-wheel'],
    forTests: true,
  },
  {
    name: 'shells',
    reason: 'shells whose completions are tested, and the Python of the quick start',
    proof: ['/usr/bin/fish'],
    packages: ['zsh', 'fish', 'python3-requests'],
    forTests: true,
  },
  {
    name: 'kernel headers',
    reason: 'the numbers of system calls on both architectures, which the test of the sandbox compares',
    proof: ['/usr/x86_64-linux-gnu/include/asm/unistd.h', '/usr/lib/linux/uapi/x86/asm/unistd.h'],
    packages: ['linux-libc-dev-amd64-cross', 'linux-libc-dev-arm64-cross'],
    // Since Debian 13 the compiler's own headers are those of every architecture.
    ifAvailable: ['linux-libc-dev-amd64-cross', 'linux-libc-dev-arm64-cross'],
    forTests: true,
  },
  {
    name: 'compiler',
    reason: 'builds the native helper',
    proof: ['/usr/bin/gcc'],
    packages: ['gcc', 'make', 'libc6-dev'],
    // Its build stage has them.
    notInImage: ['gcc', 'make', 'libc6-dev'],
  },
]

/** Packages of the container image; tini is its first process. */
export const imagePackages = [
  'ca-certificates',
  'tini',
  ...packageGroups
    .filter((group) => !group.forTests)
    .flatMap(({ packages, notInImage = [], ifAvailable = [] }) =>
      packages.filter((name) => !notInImage.includes(name) && !ifAvailable.includes(name)),
    ),
]
