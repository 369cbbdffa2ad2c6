-- Tracked changes that are to be seen are underlined and struck through.

local settings = require 'settings'

local function nothing() return {} end

local changes = {
  insertion = function(span) return pandoc.Underline(span.content) end,
  deletion = function(span) return pandoc.Strikeout(span.content) end,
  ['paragraph-insertion'] = nothing,
  ['paragraph-deletion'] = nothing,
  ['comment-start'] = nothing,
  ['comment-end'] = nothing,
}

-- Only the reader of Word marks them, and only with its option.
local function withChanges(otherwise)
  if not settings.showsChanges then return otherwise end
  return function(span)
    local show = changes[span.classes[1]]
    return (show or otherwise)(span)
  end
end

return withChanges
