import { testConversionInBrowser } from './in-browser-suite.ts'
import { useSite } from './pages.ts'
import { testWebApp } from './web-app-suite.ts'

const site = useSite()
testWebApp(site)
testConversionInBrowser(site)
