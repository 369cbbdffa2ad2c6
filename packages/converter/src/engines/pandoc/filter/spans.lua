-- The text without the spans between two marks, marks included. A span that never ends stays. In one step from mark to
-- mark: a pattern would look for the end of each span that has none, through all of the text.
return function(text, opening, closing)
  local pieces, position = {}, 1
  while true do
    local from, inside = text:find(opening, position, true)
    local _, to = text:find(closing, (inside or #text) + 1, true)
    pieces[#pieces + 1] = text:sub(position, to and from - 1)
    if not to then return table.concat(pieces) end
    position = to + 1
  end
end
