import { render } from 'preact'
import 'uplot/dist/uPlot.min.css'
import './styles/layout.css'
import './styles/charts.css'
import './styles/tables.css'
import './styles/lists.css'
import './styles/forms.css'
import './styles/dialogs.css'
import './styles/narrow.css'
import { App } from './app.tsx'

render(<App />, document.getElementById('app') as HTMLElement)
