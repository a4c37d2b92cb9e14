"""Polite words before and after a phrase, such as "please". The pieces are separated by ";" or by lines."""

ASKING = """
could you; can you; would you; will you; would you mind; could you maybe; may i; can i; could i; might i; can we
do you know; can you tell me; could you tell me; tell me; could we; may we; shall we; is it possible to
would it be possible to; are you able to
how can i; how do i; how do we; how could i; könntest du; kannst du; kann ich; können wir; könnte ich
pouvez-vous; peux-tu; puis-je; puedes; puedo; puoi; posso; kun je; kan ik; mag ik
"""
"""Politeness before a phrase that turns it into a question."""

WANTING = """
please; pls; plz; kindly; sorry; oh; yes; also; thanks; thank you; wanna; i wanna; want to; i would like to
i'd like to; i would love to; i'd love to; i want to; i wish to
i need to; we would like to; we'd like to; we want to; i would like; i'd like; i want you to; let me; let us
let's; just; now; ok; okay; so; well; hi; hello; hey; hi nabu; hello nabu; hey nabu; dear nabu; nabu; hi there
hello there; bitte; ich möchte; ich würde gerne; ich will; hallo; je voudrais; je veux; j'aimerais
s'il te plaît; s'il vous plaît; bonjour; quiero; quisiera; me gustaría; por favor; hola; vorrei; voglio
per favore; ciao; ik wil; ik wil graag; ik zou graag; alsjeblieft; alstublieft
"""
"""Politeness before a phrase that does not change it."""

BEHIND = """
please; pls; plz; thanks; thank you; thx; many thanks; thanks a lot; thank you very much; thanks in advance
now; right now; for me; to me; here; at the moment; if possible; sorry; first; thanks nabu; please nabu; bitte
danke; vielen dank; s'il te plaît; s'il vous plaît
merci; por favor
gracias; per favore; grazie; alsjeblieft; alstublieft; bedankt
"""
"""Politeness after a phrase."""
