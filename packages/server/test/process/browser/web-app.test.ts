import { useSite } from './pages.ts'
import { testWebApp } from './web-app-suite.ts'

testWebApp(useSite())
