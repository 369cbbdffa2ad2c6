-- Pandoc leaves the text of a citation in LaTeX to a bibliography. Without one its text is the command, which other
-- formats drop.

local function shown(cite)
  local command = cite.content[1]
  if not command or command.t ~= 'RawInline' then return nil end
  local text = pandoc.List { pandoc.Str '[' }
  for index, citation in ipairs(cite.citations) do
    if index > 1 then text:extend { pandoc.Str ',', pandoc.Space() } end
    if #citation.prefix > 0 then
      text:extend(citation.prefix)
      text:insert(pandoc.Space())
    end
    text:insert(pandoc.Str(citation.id))
    if #citation.suffix > 0 then
      text:extend { pandoc.Str ',', pandoc.Space() }
      text:extend(citation.suffix)
    end
  end
  text:insert(pandoc.Str ']')
  return text
end

return { Cite = shown }
