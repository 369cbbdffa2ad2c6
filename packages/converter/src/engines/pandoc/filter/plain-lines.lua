-- Pandoc's Markdown writer escapes what looks like a list or a heading at the start of a paragraph, and not after a line
-- break inside one. Text whose lines are kept, such as a plain e-mail, would change its structure.

local function escaped(text)
  -- "1." and "1)" begin a list.
  local number, mark = text:match('^(%d+)([.)])$')
  if number then return number .. '\\' .. mark end
  -- "-", "+" and "*" begin a list; a line of "-" or "=" makes a heading of the line above.
  if text:match('^[-+]$') or text:match('^[-=]+$') then return '\\' .. text end
  return nil
end

-- In each list of inlines: the first word, and the first word after each line break.
return function(inlines)
  local isLineStart = true
  for index, inline in ipairs(inlines) do
    local plain = isLineStart and inline.t == 'Str' and escaped(inline.text)
    if plain then inlines[index] = pandoc.RawInline('markdown', plain) end
    isLineStart = inline.t == 'LineBreak' or inline.t == 'SoftBreak'
  end
  return inlines
end
