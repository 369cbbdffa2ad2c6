-- GitHub's alerts are quotes whose first line is a mark such as [!NOTE]. The mark becomes a title.

local titles = { NOTE = 'Note', TIP = 'Tip', IMPORTANT = 'Important', WARNING = 'Warning', CAUTION = 'Caution' }

return function(quote)
  local first = quote.content[1]
  if not first or first.t ~= 'Para' then return nil end
  local text = first.content
  local mark, lineBreak = text[1], text[2]
  local title = mark.t == 'Str' and titles[mark.text:match '^%[!(%u+)%]$' or '']
  if not title or lineBreak and lineBreak.t ~= 'SoftBreak' then return nil end
  quote.content[1] = pandoc.Para { pandoc.Strong(title) }
  if lineBreak then
    text:remove(1)
    text:remove(1)
    quote.content:insert(2, pandoc.Para(text))
  end
  return quote
end
