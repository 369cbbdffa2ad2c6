-- Pandoc writes the caption of a code block, an attribute, nowhere a reader sees it. It becomes a paragraph in front.

local function contentOf(caption)
  -- The reader of LaTeX leaves commands in attributes.
  local document = caption:find '\\%a+{' and pandoc.read(caption, 'latex') or pandoc.Pandoc { pandoc.Plain(caption) }
  return pandoc.utils.blocks_to_inlines(document.blocks)
end

-- Changes a code block with this function and puts its caption in front.
return function(change)
  return function(block)
    local caption = block.attributes.caption
    if not caption or caption == '' then return change(block) end
    block.attributes.caption = nil
    return { pandoc.Para { pandoc.Emph(contentOf(caption)) }, change(block) or block }
  end
end
