"""Pages that speak for others: continuations, frames, contents."""

from support.html_site import links, parents

MENU = links("", "s1", "s2")


def test_members_on_the_second_page_of_a_list_belong_to_the_list() -> None:
    def listing(*items: str) -> str:
        cards = "".join(f"<h3><a href=/{item}>{item}</a></h3>" for item in items)
        pager = "<div class=pages><a href=/s1>1</a> <a href='/s1?p=2'>2</a> <a href='/s1?p=3'>3</a></div>"
        return f"<title>First</title>{MENU}<h1>First</h1><main>{cards}</main>{pager}"

    pages = {
        "": f"<title>Home</title>{MENU}",
        "s1": listing("a", "b"),
        "s1?p=2": listing("c", "d"),
        "s1?p=3": listing("e"),
    }
    pages["s2"] = f"<title>Second</title>{MENU}<h1>Second</h1>"
    pages |= {item: f"<title>{item}</title>{MENU}<h1>{item}</h1>" for item in "abcde"}

    found = parents(pages)

    assert dict.fromkeys("abcde", "s1") == {name: above for name, above in found.items() if name in "abcde"}
    assert "s1" == found["s1?p=2"] == found["s1?p=3"]


def test_the_page_that_the_others_call_1_is_the_first_however_often_they_are_linked() -> None:
    """Every item leads back to the page of the list that shows it, so that all are linked alike."""
    shown = {"s1": "ab", "s1?p=2": "cde", "s1?p=3": "fgh"}
    pager = "<div class=pages><a href=/s1>1</a> <a href='/s1?p=2'>2</a> <a href='/s1?p=3'>3</a></div>"
    pages = {"": "<title>Home</title><a href=/s1>First</a>"}
    for name, items in shown.items():
        cards = "".join(f"<h3><a href=/{item}>{item}</a></h3>" for item in items)
        pages[name] = f"<title>First</title><h1>First</h1><main>{cards}</main>{pager}"
        pages |= {item: f"<title>{item}</title><h1>{item}</h1><a href='/{name}'>First</a>" for item in items}

    found = parents(pages)

    assert "s1" == found["s1?p=2"] == found["s1?p=3"]


def test_what_a_frame_lists_the_frameset_lists() -> None:
    body = "<p>text</p>"
    pages = {
        "": "<frameset cols='20%,80%'><frame src=/menu><frame src=/a></frameset>",
        "menu": links("a", "b", "c"),
        "a": body,
        "b": body,
        "c": body,
    }

    found = parents(pages)

    assert {"menu": "", "a": "", "b": "", "c": ""} == found


def test_the_top_of_the_contents_hangs_below_the_entry_page() -> None:
    parts = []
    for chapter in range(1, 5):
        inner = "".join(f"<li><a href=/c{chapter}s{number}>s</a></li>" for number in range(1, 5))
        parts.append(f"<li><a href=/c{chapter}>c</a><ul>{inner}</ul></li>")
    home = "<a href=/>home</a> <a href=/contents>contents</a>"
    pages = {"": f"<p>Welcome.</p>{home}", "contents": home + f"<ul>{''.join(parts)}</ul>"}
    for chapter in range(1, 5):
        pages[f"c{chapter}"] = home
        pages |= {f"c{chapter}s{number}": home for number in range(1, 5)}

    found = parents(pages)

    assert ["", "", "", ""] == [found[f"c{chapter}"] for chapter in range(1, 5)]
    assert "c2" == found["c2s3"]
    assert "" == found["contents"]
